"""The Graph screen: relations around one memory."""
