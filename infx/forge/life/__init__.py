"""Life: what happened on a forge as one file, to be sent and played again (`docs/record.md`)."""
