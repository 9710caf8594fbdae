"""The workspace database: connection, schema, migrations, models, leases."""
