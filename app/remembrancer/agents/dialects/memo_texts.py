"""Memo's sentences, each in German and in English, with the same places to fill."""

from __future__ import annotations

# Key -> (German, English). The German ones keep to ASCII: these shapes are read by programs too.
TEXTS: dict[str, tuple[str, str]] = {
    "error": ("Fehler: ", "Error: "),
    "nothing_stored": ("nichts gespeichert.", "nothing stored."),
    "nothing_done": ("nichts getan.", "nothing done."),
    # --- what cannot be done
    "foreign": (
        "#{id} gehoert zum Gedaechtnis {name}, dieses hier heisst {own} - {nothing}",
        "#{id} belongs to the memory {name}, this one is called {own} - {nothing}",
    ),
    "no_ids": (
        'keine Id erkannt; erwartet wird etwa "12,34" - {nothing}',
        'no id recognised; expected is something like "12,34" - {nothing}',
    ),
    "empty_text": ("der Text ist leer - {nothing}", "the text is empty - {nothing}"),
    "long_text": (
        "der Text hat {count} Zeichen, erlaubt sind {most} - {nothing}",
        "the text has {count} characters, allowed are {most} - {nothing}",
    ),
    "long_tags": (
        "hoechstens {most} Tags mit je {length} Zeichen - {nothing}",
        "at most {most} tags of {length} characters each - {nothing}",
    ),
    "long_reason": (
        "der Grund hat mehr als {most} Zeichen - {nothing}",
        "the reason has more than {most} characters - {nothing}",
    ),
    "unknown_kind": (
        "unbekannte Art {kind}; moeglich sind {kinds} - {nothing}",
        "unknown kind {kind}; possible are {kinds} - {nothing}",
    ),
    "one_kind": (
        "genau eine Art, nicht {kinds} - {nothing}",
        "exactly one kind, not {kinds} - {nothing}",
    ),
    "two_ids": (
        "zum Vergleichen braucht es mindestens zwei vorhandene Eintraege{missing} - {nothing}",
        "comparing takes at least two entries that are there{missing} - {nothing}",
    ),
    "many_ids": (
        "hoechstens {most} Eintraege je Aufruf - {nothing}",
        "at most {most} entries a call - {nothing}",
    ),
    "only_signs": (
        "in der Frage steht kein Wort. Tipp: ein paar Stichwoerter ohne Sonderzeichen nennen.",
        "the question holds no word. Tip: name a few keywords without special characters.",
    ),
    "read_only": (
        "diese Verbindung darf nur lesen - {nothing}",
        "this connection may only read - {nothing}",
    ),
    "propose_only": (
        "diese Verbindung darf nur vorschlagen, und das laesst sich nicht vorschlagen - {nothing}",
        "this connection may only propose, and this cannot be proposed - {nothing}",
    ),
    "locked": (
        "diese Verbindung gilt nur fuer {entity}; das muss der erste Tag sein - {nothing}",
        "this connection holds for {entity} only; that must be the first tag - {nothing}",
    ),
    "arguments": ("die Angaben passen nicht: {told}", "{told}"),
    "StoreBusy": (
        "ein anderes Programm schreibt gerade, gleich noch einmal versuchen - {nothing}",
        "another program is writing, try again in a moment - {nothing}",
    ),
    "StoreFull": ("der Datentraeger ist voll - {nothing}", "the disk is full - {nothing}"),
    "StoreReadOnly": (
        "die Datei darf nicht beschrieben werden - {nothing}",
        "the file may not be written to - {nothing}",
    ),
    "StoreDamaged": (
        "die Datei ist beschaedigt, der Mensch muss nachsehen - {nothing}",
        "the file is damaged, the person has to look - {nothing}",
    ),
    "StoreProblem": (
        "der Speicher nimmt es nicht an, der Mensch muss nachsehen - {nothing}",
        "the store does not take it, the person has to look - {nothing}",
    ),
    # --- entries
    "superseded": (" [VERALTET{why}]", " [SUPERSEDED{why}]"),
    "successor": ("ersetzt durch #{id}", "replaced by #{id}"),
    "expired": (" [ABGELAUFEN {day}]", " [EXPIRED {day}]"),
    "entry|": ("Eintrag", "entry"),
    "entry|s": ("Eintraege", "entries"),
    "hit|": ("Treffer", "hit"),
    "hit|s": ("Treffer", "hits"),
    "tag|": ("Marke", "tag"),
    "tag|s": ("Marken", "tags"),
    "pair|": ("Paar", "pair"),
    "pair|s": ("Paare", "pairs"),
    "group|": ("Gruppe", "group"),
    "group|s": ("Gruppen", "groups"),
    "page|": ("Seite", "page"),
    "page|s": ("Seiten", "pages"),
    "more_ids": (" und {count} weitere", " and {count} more"),
    "not_found": (" (nicht gefunden: {ids})", " (not found: {ids})"),
    # --- remember
    "stored": (
        "Gespeichert #{id} [{at}] als {kind} (Tags: {tags})",
        "Stored #{id} [{at}] as {kind} (tags: {tags})",
    ),
    "there": (
        "Schon vorhanden: #{id} [{at}] als {kind} (Tags: {tags}) - derselbe Text, nicht noch einmal"
        " gespeichert.",
        "Already there: #{id} [{at}] as {kind} (tags: {tags}) - the same text, not stored again.",
    ),
    "revived": (
        "Schon vorhanden: #{id} [{at}] als {kind} (Tags: {tags}) - war als veraltet markiert und"
        " gilt jetzt wieder.",
        "Already there: #{id} [{at}] as {kind} (tags: {tags}) - it was marked as superseded and"
        " holds again now.",
    ),
    "masked": (
        "Zugangsdaten wurden unkenntlich gemacht, nicht gespeichert: {kinds}.",
        "Credentials were masked, not stored: {kinds}.",
    ),
    "unsorted": (
        "Ohne Art. Nachholen mit einordnen(\"{id}\", \"...\"): {kinds}.",
        "Without a kind. Add one with classify(\"{id}\", \"...\"): {kinds}.",
    ),
    "long": (
        "Langer Eintrag ({count} Zeichen): einzelne Aussagen, je ein Eintrag, werden besser"
        " gefunden.",
        "Long entry ({count} characters): single statements, one an entry, are found better.",
    ),
    "dated": (
        "Beginnt mit einem Datum und ist lang: das liest sich wie ein Protokoll. Was gilt, gehoert"
        " in eigene Eintraege, der Hergang unter die Art {kind}.",
        "Begins with a date and is long: it reads like a log. What holds belongs in entries of its"
        " own, what happened under the kind {kind}.",
    ),
    "tag_kind_word": (
        "Tag {tag}: das ist eine Art und kein Projekt; sie gehoert in art=.",
        "Tag {tag}: that is a kind and no project; it belongs in kind=.",
    ),
    "tag_neighbours": (
        "Tag {tag}: gemeint vielleicht {known}?",
        "Tag {tag}: did you mean {known}?",
    ),
    "tag_new": ("Tag {tag}: neu.", "Tag {tag}: new."),
    "put_away": ("Als veraltet markiert: {ids}{missing}", "Marked as superseded: {ids}{missing}"),
    "put_away_none": (
        "Nichts als veraltet markiert{missing}",
        "Nothing marked as superseded{missing}",
    ),
    "similar": (
        "Aehnliche Eintraege - pruefen, ob einer davon ersetzt gehoert:",
        "Similar entries - see whether one of them should be superseded:",
    ),
    "overlap": ("{share}% Ueberschneidung", "{share}% overlap"),
    "numbers": ("Zahlen {old} -> {new}", "numbers {old} -> {new}"),
    "hint_contradiction": ("Widerspruch?", "contradiction?"),
    "hint_progress": ("Fortschritt?", "progress?"),
    "hint_independent": ("unabhaengig?", "independent?"),
    "hint_disclaimer": (
        "Das Wort mit Fragezeichen hat ein kleines Sprachmodell geraten; es irrt sich oft.",
        "The word with a question mark was guessed by a small language model; it is often wrong.",
    ),
    # --- forget, classify
    "why_superseded": ("ersetzt", "superseded"),
    "why_outdated": ("veraltet", "outdated"),
    "classified": ("{kind}: {ids}{missing}", "{kind}: {ids}{missing}"),
    "left_unsorted": ("Noch {entries} ohne Art.", "{entries} without a kind left."),
    # --- show
    "none_there": ("Nicht vorhanden: {ids}", "Not there: {ids}"),
    "cut": (
        '[gekuerzt: {shown} von {count} Zeichen - ganz mit zeige("{id}", voll=True)]',
        '[cut: {shown} of {count} characters - whole with show("{id}", full=True)]',
    ),
    "cut_by_budget": (
        "[gekuerzt: {shown} von {count} Zeichen - laenger darf eine Antwort hier nicht sein]",
        "[cut: {shown} of {count} characters - an answer may not be longer here]",
    ),
    "rest": (
        '{count} weitere verlangt, nicht gezeigt (Deckel {cap} Zeichen) - weiter mit zeige("{ids}")'
        ", alles auf einmal mit voll=True:",
        '{count} more asked for, not shown (cap {cap} characters) - go on with show("{ids}"), all'
        " at once with full=True:",
    ),
    "rest_full": (
        "{count} weitere verlangt, die nicht in eine Antwort passen - weiter mit"
        ' zeige("{ids}", voll=True).',
        "{count} more asked for that do not fit in one answer - go on with"
        ' show("{ids}", full=True).',
    ),
    # --- recall
    "in_tags": (" in {tags}", " in {tags}"),
    "found": ("{hits} fuer '{query}'", "{hits} for '{query}'"),
    "note_signs_ignored": (
        " (Sonderzeichen ignoriert, als Woerter gesucht)",
        " (special characters ignored, searched as words)",
    ),
    "note_any_word": (
        " (ODER - kein Eintrag enthaelt alle Begriffe)",
        " (OR - no entry holds all the terms)",
    ),
    "note_parts": (" (+ Stamm-/Wortteiltreffer)", " (+ hits by stem or part of a word)"),
    "note_asked_before": (" (+ schon einmal so gesucht)", " (+ searched like this before)"),
    "chronicle_hidden": (
        ', {count} in der Chronik ausgeblendet (art="verlauf")',
        ', {count} hidden in the chronicle (kind="history")',
    ),
    "preview": (
        ' - Vorschau, Volltext per zeige("{ids}")',
        ' - preview, full text with show("{ids}")',
    ),
    "no_hits": ("Keine Treffer fuer: {query}", "No hits for: {query}"),
    "hint_chronicle": (
        '{count} in der Chronik ausgeblendet - mit art="verlauf" suchen.',
        '{count} hidden in the chronicle - search with kind="history".',
    ),
    "hint_tag": ("Ohne marke= noch einmal probieren.", "Try once more without tag=."),
    "hint_kind": ("Ohne art= noch einmal probieren.", "Try once more without kind=."),
    "hint_superseded": (
        "Veraltetes findet mit_veraltet=True.",
        "Superseded entries are found with include_superseded=True.",
    ),
    "hint_topics": ("Was es gibt, zeigt themen().", "topics() shows what there is."),
    "outside": (
        "Ausserhalb von {tags} passt besser: {preview} - ohne marke= noch einmal probieren.",
        "Outside {tags} this fits better: {preview} - try once more without tag=.",
    ),
    "hits_left": (
        '... {count} weitere passen nicht in eine Antwort - zeige("{ids}")',
        '... {count} more do not fit in one answer - show("{ids}")',
    ),
    # --- topics
    "board": ("{tags}, {entries}:", "{tags}, {entries}:"),
    "board_empty": ("Noch keine Marken, {entries}.", "No tags yet, {entries}."),
    "board_tag": ("marke", "tag"),
    "board_total": ("gesamt", "total"),
    "untagged": ("Ohne Marke: {entries}", "Without a tag: {entries}"),
    "board_left": ("... {count} weitere - {call}", "... {count} more - {call}"),
    "topic": ("{tag}: {entries}", "{tag}: {entries}"),
    "page": ("Seite {page} von {pages}, neueste zuerst:", "Page {page} of {pages}, newest first:"),
    "titles_left": ("... {count} weitere - {call}", "... {count} more - {call}"),
    "titles_cut": (
        "... {count} weitere passen nicht in eine Antwort - seitenweise mit {call}",
        "... {count} more do not fit in one answer - page by page with {call}",
    ),
    "no_page": (
        "Seite {page} gibt es nicht: {what}, {pages}.",
        "There is no page {page}: {what}, {pages}.",
    ),
    "no_tag": ("Keine Marke {tag}.", "No tag {tag}."),
    "alike": (" Aehnlich: {tags}.", " Similar: {tags}."),
    # --- consolidate
    "compared": (
        "{entries} verglichen, {pairs} betrachtet, {groups} ab {threshold} Aehnlichkeit.",
        "{entries} compared, {pairs} looked at, {groups} from {threshold} similarity on.",
    ),
    "too_few": (
        "Zu wenige Eintraege zum Verdichten: {count}{tags}.",
        "Too few entries to consolidate: {count}{tags}.",
    ),
    "group": (
        "Gruppe {number}: {entries}, bis {best}% gleich",
        "Group {number}: {entries}, up to {best}% the same",
    ),
    "groups_left": (
        "{count} weitere nicht gezeigt - gruppen={most} zeigt alle.",
        "{count} more not shown - groups={most} shows all.",
    ),
    "groups_cut": (
        "{count} weitere passen nicht in eine Antwort - mit marke=, art= oder einer hoeheren"
        " schwelle eingrenzen.",
        "{count} more do not fit in one answer - narrow it down with tag=, kind= or a higher"
        " threshold.",
    ),
    "group_left": ("  ... und {count} weitere: {ids}", "  ... and {count} more: {ids}"),
    "consolidate": (
        'Erst lesen (zeige("{ids}")), dann den gemeinsamen Stand neu schreiben:'
        ' remember("...", ersetzt="{ids}"). Aehnlich heisst nicht gleich.',
        'Read first (show("{ids}")), then write down anew what they come to:'
        ' remember("...", supersedes="{ids}"). Similar does not mean the same.',
    ),
    # --- check
    "contradiction": ("WIDERSPRUCH", "CONTRADICTION"),
    "progress": ("FORTSCHRITT", "PROGRESS"),
    "independent": ("UNABHAENGIG", "INDEPENDENT"),
    "pair": ("#{a} <-> #{b}: {verdict}", "#{a} <-> #{b}: {verdict}"),
    "disagreed": (
        "uneinig - {first} in der einen, {second} in der anderen Richtung",
        "undecided - {first} in one direction, {second} in the other",
    ),
    "one_way": (
        "{first}, aber nur eine Richtung geprueft - unbestaetigt",
        "{first}, but only one direction was checked - unconfirmed",
    ),
    "none": ("kein Urteil", "no verdict"),
    "same_note": (
        "fuer das Modell derselbe Text - nicht gefragt",
        "the same text to the model - not asked",
    ),
    "not_asked": (
        "nicht gefragt (Deckel bei 5 Paaren je Aufruf)",
        "not asked (cap of 5 pairs a call)",
    ),
    "pairs_left": ("... {count} weitere nicht gezeigt", "... {count} more not shown"),
    "no_verdict": (
        "Kein Urteil - keines der Paare wurde beantwortet ({state})",
        "No verdict - none of the pairs was answered ({state})",
    ),
    "check_disclaimer": (
        "Ein kleines Sprachmodell hat geurteilt, nach je hoechstens 200 Zeichen: ein Hinweis, wo"
        " man nachliest, kein Befund.",
        "A small language model judged, by at most 200 characters of each: a hint where to read"
        " again, not a finding.",
    ),
}  # fmt: skip
