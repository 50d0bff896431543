"""What the person is asked when a text of hers looks like a secret, and what the answers mean."""

from __future__ import annotations

from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.look.labels import Message
from remembrancer.desktop.look.plain import translate
from remembrancer.service.one_path import Secrets

CODE = "secret"  # of the refusal that asks
BACK = "back"
ANSWERS = {"mask": Secrets.MASK, "keep": Secrets.KEEP}


def asked(error: RemembrancerError) -> Message:
    """The question where the text looks like a secret, else what went wrong."""
    if error.code != CODE:
        return Message("bad", str(error))
    said = translate(
        "Editor", "Agents could read it, and it would stand in the history, in exports and backups."
    )
    buttons = (
        ("mask", translate("Editor", "Mask it")),
        ("keep", translate("Editor", "Keep on purpose")),
        (BACK, translate("Editor", "Back to the text")),
    )
    lead = translate("Editor", "This looks like a secret.")
    return Message("warning", said, lead, buttons)
