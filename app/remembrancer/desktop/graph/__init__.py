"""The graph's pane: a canvas of entities and relations; numpy comes in here, so import it late."""
