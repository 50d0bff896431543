"""What a model is told of memo's tools and their parameters, in German and in English."""

from __future__ import annotations

# A tool's German name -> (title, description, German name of a parameter -> what it means).
GERMAN_WORDS: dict[str, tuple[str, str, dict[str, str]]] = {
    "remember": (
        "Einprägen",
        "Speichert eine Aussage auf Dauer und nennt Einträge, die ihr ähneln: so fällt auf, was"
        " sich widerspricht. Vorher mit recall nachsehen. Zugangsdaten werden unkenntlich gemacht.",
        {
            "tags": "Stichwörter, durch Leerzeichen oder Komma getrennt; das erste ist das Projekt,"
            " WOHIN es gehört.",
            "art": "WAS es ist, genau eines: schnittstelle (Signatur, Befehl, Format), fallstrick"
            " (das Naheliegende ist falsch, weil ...), entscheidung (mit Begründung), messwert"
            " (Zahl und wie gemessen), arbeitsweise, verlauf (Chronik, von recall sonst"
            " ausgeblendet).",
            "ersetzt": 'Ids, an deren Stelle dieser Eintrag tritt ("12,34"); sie bleiben lesbar.',
        },
    ),
    "verdichten": (
        "Verdichten",
        "Findet Gruppen von Einträgen, die weitgehend dasselbe sagen. Fasst nichts zusammen: lesen,"
        ' einen neuen schreiben, die alten mit remember(..., ersetzt="...") ablösen.',
        {
            "marke": "Nur dieses Projekt; zusammengesetzte Marken zählen mit.",
            "art": "Nur diese Arten.",
            "schwelle": "Ab welcher Ähnlichkeit (0 bis 1) zwei als gleich gelten.",
            "gruppen": "Höchstzahl der gezeigten Gruppen.",
        },
    ),
    "pruefe": (
        "Prüfen",
        "Lässt ein kleines Sprachmodell je zwei der Einträge vergleichen: Widerspruch, Fortschritt"
        " oder unabhängig. Es irrt oft; das Ergebnis sagt, wo nachzulesen ist. Jedes Paar wird in"
        " beide Richtungen gefragt, höchstens 5 Paare. Nur wenn MEMORY_FC_URL und MEMORY_FC_MODELL"
        " gesetzt sind; bis zu 200 Zeichen je Eintrag gehen dorthin.",
        {"ids": 'Zwei oder mehr, "249,255".'},
    ),
    "vergessen": (
        "Vergessen",
        "Markiert Einträge als veraltet, ohne Ersatz. recall zeigt sie nur noch mit"
        " mit_veraltet=True; gelöscht wird nichts.",
        {"ids": 'Eine oder mehr, "12,34".', "grund": "Warum; steht dann dabei."},
    ),
    "recall": (
        "Erinnern",
        "Durchsucht die Einträge, beste zuerst; auch gebeugte Formen und Teile zusammengesetzter"
        ' Wörter. Zeigt Titelzeilen; den Volltext holt zeige("376,481").',
        {
            "query": 'Suchwörter; FTS5-Syntax geht auch: "sqlite AND fts5", "proj*".',
            "limit": "Höchstzahl, 1 bis 50.",
            "art": "Nur diese Arten, auch gemischt oder alle. Ohne Angabe alles außer verlauf.",
            "marke": "Nur diese Projekte (mehrere: eines davon); leuchtturm findet auch"
            " leuchtturm-project. themen() nennt sie.",
            "voll": "Gleich der Volltext.",
            "mit_veraltet": "Auch Veraltetes.",
        },
    ),
    "themen": (
        "Themen",
        "Blättern statt suchen: ohne marke alle Projekte mit ihren Zahlen je Art, mit marke deren"
        " Titelzeilen, neueste zuerst. Gut für den Wiedereinstieg; danach recall(query, marke=...)"
        " oder zeige.",
        {
            "limit": "Zeilen je Seite (0: 40 Projekte oder 30 Titel).",
            "seite": "Ab 1, der neuesten.",
            "alle": "Alles auf einmal, nach Art.",
        },
    ),
    "zeige": (
        "Zeigen",
        "Der Volltext von Einträgen, auch von veralteten, in der Reihenfolge der Ids, etwa 6000"
        " Zeichen je Aufruf. Was nicht passt, kommt als Titelzeile mit dem Aufruf dafür.",
        {"ids": 'Eine oder mehr, "376,481", wichtigste zuerst.', "voll": "Ohne diesen Deckel."},
    ),
    "einordnen": (
        "Einordnen",
        "Gibt Einträgen eine Art; im Vorbeigehen, wenn recall einen ohne Art zeigt.",
        {
            "ids": 'Eine oder mehr, "376,481".',
            "art": "Genau eine: schnittstelle, fallstrick, entscheidung, messwert, arbeitsweise,"
            " verlauf; gemischt nimmt sie zurück.",
        },
    ),
}

ENGLISH_WORDS: dict[str, tuple[str, str, dict[str, str]]] = {
    "remember": (
        "Remember",
        "Keeps a statement for good and names entries that resemble it, so that contradictions are"
        " seen. Look with recall first. Credentials are masked.",
        {
            "tags": "Keywords parted by blanks or commas; the first is the project, WHERE it"
            " belongs.",
            "art": "WHAT it is, exactly one: interface (signature, command, format), pitfall (the"
            " obvious way is wrong because ...), decision (with reasons), measurement (a number and"
            " how it was taken), workflow, history (chronicle, which recall hides by default).",
            "ersetzt": 'Ids that this entry takes the place of ("12,34"); they stay readable.',
        },
    ),
    "verdichten": (
        "Consolidate",
        "Finds groups of entries that say much the same. Sums nothing up: read them, write a new"
        ' one, and replace the old with remember(..., supersedes="...").',
        {
            "marke": "Only this project; compound tags count too.",
            "art": "Only these kinds.",
            "schwelle": "From which similarity (0 to 1) on two count as the same.",
            "gruppen": "How many groups are shown at most.",
        },
    ),
    "pruefe": (
        "Check",
        "Has a small language model compare the entries two by two: contradiction, progress or"
        " independent. It is often wrong; the answer tells where to read again. Every pair is asked"
        " in both directions, at most 5 pairs. Only where MEMORY_FC_URL and MEMORY_FC_MODELL are"
        " set; up to 200 characters of each entry are sent there.",
        {"ids": 'Two or more, "249,255".'},
    ),
    "vergessen": (
        "Forget",
        "Marks entries as superseded, without a successor. recall then shows them only with"
        " include_superseded=True; nothing is deleted.",
        {"ids": 'One or more, "12,34".', "grund": "Why; shown beside them."},
    ),
    "recall": (
        "Recall",
        "Searches the entries, best first; finds inflected forms and parts of compound words too."
        ' Shows title lines; show("376,481") gets the full text.',
        {
            "query": 'Search words; FTS5 syntax works as well: "sqlite AND fts5", "proj*".',
            "limit": "At most so many, 1 to 50.",
            "art": "Only these kinds, also unsorted or all. By default everything but history.",
            "marke": "Only these projects (of several, any one); lighthouse also finds"
            " lighthouse-project. topics() lists them.",
            "voll": "The full text at once.",
            "mit_veraltet": "Superseded ones too.",
        },
    ),
    "themen": (
        "Topics",
        "Browses instead of searching: without tag all projects with their numbers by kind, with"
        " tag its title lines, newest first. Good for coming back to a project; then recall(query,"
        " tag=...) or show.",
        {
            "limit": "Lines a page (0: 40 projects or 30 titles).",
            "seite": "From 1, the newest.",
            "alle": "Everything at once, by kind.",
        },
    ),
    "zeige": (
        "Show",
        "The full text of entries, superseded ones too, in the order of the ids, about 6000"
        " characters a call. What does not fit comes as a title line with the call that gets it.",
        {"ids": 'One or more, "376,481", most wanted first.', "voll": "Without that cap."},
    ),
    "einordnen": (
        "Classify",
        "Gives entries a kind; in passing, when recall shows one without.",
        {
            "ids": 'One or more, "376,481".',
            "art": "Exactly one: interface, pitfall, decision, measurement, workflow, history;"
            " unsorted takes it back.",
        },
    ),
}
