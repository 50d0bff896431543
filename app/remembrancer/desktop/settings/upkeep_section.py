"""The file itself: whether it is sound."""

from __future__ import annotations

from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import Banner, Message
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.settings.choices import Section
from remembrancer.desktop.workbench import Workbench

SHOWN = 5  # problems


class UpkeepSection(Section):
    """A button, and below it what came of it."""

    def __init__(self, bench: Workbench) -> None:
        told = translate("Settings", "Checking the store reads all of it.")
        super().__init__(translate("Settings", "Upkeep"), told)
        self._bench = bench
        self.check = KeyButton("shield-check", translate("Settings", "Check the store"))
        self.result = Banner()
        self.column.addWidget(row(self.check, 1))
        self.column.addWidget(self.result)
        self.check.clicked.connect(self._check)

    def _check(self) -> None:
        self._begin(translate("Settings", "Checking the store…"))
        upkeep = self._bench.library.upkeep
        self._bench.background.run(upkeep.problems, self._checked, self._failed, owner=self)

    def _begin(self, sentence: str) -> None:
        self._enable(False)
        self._say("info", sentence)

    def _checked(self, problems: list[str]) -> None:
        self._enable(True)
        if problems:
            shown = "\n".join(problems[:SHOWN])
            if len(problems) > SHOWN:
                more = translate("Settings", "and {0} more").format(len(problems) - SHOWN)
                shown = f"{shown}\n{more}"
            lead = translate("Settings", "The store is not sound.")
            self._say("bad", shown, lead)
        else:
            sentence = translate("Settings", "The store and its search index are sound.")
            self._say("ok", sentence)

    def _failed(self, error: RemembrancerError) -> None:
        self._enable(True)
        self._say("bad", str(error))

    def _enable(self, on: bool) -> None:
        self.check.setEnabled(on)

    def _say(self, tone: str, sentence: str, lead: str = "") -> None:
        self.result.show_message(Message(tone, sentence, lead))
