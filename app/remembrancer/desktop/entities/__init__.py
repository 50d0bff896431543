"""Every entity: type, scope, relations, memories."""
