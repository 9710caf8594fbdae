"""Programs that own stores: installed, driven, and asked what they read."""
