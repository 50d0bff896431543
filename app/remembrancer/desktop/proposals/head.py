"""The head of a proposal: what it is about, who wants it, when and why, what became of it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.core.journal import Subject
from remembrancer.core.memory import Memory
from remembrancer.core.proposal import Proposal
from remembrancer.desktop import words as times
from remembrancer.desktop.activity import phrases
from remembrancer.desktop.look import icons
from remembrancer.desktop.look.badges import Badge, KindBadge, Symbol
from remembrancer.desktop.look.flow import FlowLayout, give_height_for_width
from remembrancer.desktop.look.labels import Banner, Card, Label
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.desktop.memory.flags import FlagBadge, FlagBadges
from remembrancer.desktop.proposals import words
from remembrancer.desktop.proposals.reading import Entry, as_memory


class ProposalHead(Card):
    """The pane puts its buttons into `buttons` and `corner`; `banner` asks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind, self.about, self.stale = KindBadge(), Badge(), FlagBadge()
        self.flags = FlagBadges()
        self.number, self.title = Label("", "mono"), Label("", "title", wrap=True)
        self.sign = Symbol("bot", "muted", 16)
        self.who = Label(role="muted")
        self.said = Label(role="body", wrap=True)
        self.outcome = Label(role="heading", wrap=True)
        self.banner = Banner()
        self.corner = QHBoxLayout()
        self._button_row = QWidget()
        self.buttons = FlowLayout(self._button_row)
        give_height_for_width(self._button_row)
        self._build()

    def show_entry(self, entry: Entry) -> None:
        """Show a proposal."""
        proposal, subject = entry.proposal, entry.proposal.subject
        memory = as_memory(subject)
        sort = translate("Proposals", str(subject.subject))
        kind = str(memory.kind) if memory is not None else str(subject.subject)
        self.kind.show_kind(kind, kind if memory is not None else sort)
        about = memory.entity if memory is not None else None
        self.about.setText(about or translate("Detail", "unfiled"))
        self.about.setVisible(subject.subject is Subject.MEMORY)
        self.stale.setText(translate("Proposals", "Changed since it was proposed"))
        self.stale.setVisible(entry.stale)
        self.number.setText(f"p-{proposal.id}")
        self.title.setText(one_line(proposal.label(), 160))
        self._show_agent(proposal)
        self._show_decision(proposal)

    def show_flags(self, memory: Memory | None) -> None:
        """Show what is hidden in the memory that would be, or reads like an order."""
        self.flags.setVisible(False)
        if memory is not None:
            self.flags.show_memory(memory)

    def _show_agent(self, proposal: Proposal) -> None:
        self.sign.show_icon(icons.for_agent(proposal.author), "muted")
        told = translate("Proposals", "{0} · {1} · {2}")
        when = times.full_moment(proposal.created_at)
        origin = phrases.origin(proposal.origin)
        self.who.setText(told.format(one_line(proposal.author, 60), origin, when))
        said = one_line(proposal.said or "", 300)
        self.said.setText(translate("Proposals", "Its reason: {0}").format(said))
        self.said.setVisible(bool(said))

    def _show_decision(self, proposal: Proposal) -> None:
        decided = proposal.decided_at is not None
        self.outcome.setVisible(decided)
        if decided:
            state, tone, _ = words.state(proposal)
            when = times.full_moment(proposal.decided_at)
            self.outcome.setText(translate("Proposals", "{0} · {1}").format(state, when))
            self.outcome.set_tone(tone)

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        for part in (self.kind, self.about, self.stale, self.flags, self.number):
            head.addWidget(part)
        head.addStretch(1)
        head.addLayout(self.corner)
        who = QHBoxLayout()
        who.setSpacing(8)
        who.addWidget(self.sign)
        who.addWidget(self.who)
        who.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 14)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.title)
        column.addLayout(who)
        for part in (self.said, self.outcome, self.banner, self._button_row):
            column.addWidget(part)
