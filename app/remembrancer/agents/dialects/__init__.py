"""The vocabularies agents may speak, one file each."""
