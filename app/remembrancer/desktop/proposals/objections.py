"""What stands in the way of accepting: a change meanwhile, a secret, something that is gone."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject

from remembrancer.core.errors import RemembrancerError
from remembrancer.core.proposal import Proposal
from remembrancer.desktop.memory import secret_question
from remembrancer.desktop.proposals.deciding import Deciding, Terms
from remembrancer.desktop.proposals.reading import Clash, clashes
from remembrancer.desktop.proposals.sheet import ProposalSheet
from remembrancer.desktop.workbench import Workbench


class Objections(QObject):
    """Shows each on the sheet, and takes the person's answer back to `deciding`."""

    def __init__(self, bench: Workbench, sheet: ProposalSheet, deciding: Deciding) -> None:
        super().__init__(deciding)
        self._bench, self._sheet, self._deciding = bench, sheet, deciding
        self._refused: tuple[Proposal, Terms] | None = None
        deciding.failed.connect(self._failed)
        sheet.banner.pressed.connect(self._answered)

    def terms(self) -> Terms:
        """What the person ticked, typed and chose on the sheet."""
        typed, out = self._sheet.typed(), self._sheet.ticks.ticks.left_out
        if not self._sheet.comparing:
            return Terms(typed, out)
        three = self._sheet.three
        for place, fields in three.edits().items():
            typed[place] = {**typed.get(place, {}), **fields}
        return Terms(typed, out | three.left_out(), three.seen())

    def _failed(self, proposal: Proposal, terms: Terms, error: RemembrancerError) -> None:
        if error.code == "target_changed":
            self._compare(proposal, terms, error)
        elif proposal is not self._sheet.proposal:
            self._bench.problem(error)
        else:
            self._refused = (proposal, terms)
            self._sheet.banner.show_message(secret_question.asked(error))

    def _compare(self, proposal: Proposal, terms: Terms, error: RemembrancerError) -> None:
        library = self._bench.library

        def done(found: list[Clash]) -> None:
            if self._sheet.proposal is not proposal or not found:
                self._bench.problem(error)
            else:
                self._sheet.ask(found)

        self._bench.background.run(
            lambda: clashes(library, proposal, terms.without), done, owner=self
        )

    def _answered(self, key: str) -> None:
        self._sheet.banner.hide()
        refused, self._refused = self._refused, None
        if refused is not None and key in secret_question.ANSWERS:
            proposal, terms = refused
            secrets = secret_question.ANSWERS[key]
            self._deciding.accept(proposal, replace(terms, secrets=secrets))
