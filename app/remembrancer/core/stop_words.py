"""Words that say nothing by themselves, like articles, in English and German; folded."""

from __future__ import annotations

_ENGLISH = """
    a about above after again against all am an and any are aren as at be because been before being
    below between both but by can cannot could couldn d did didn do does doesn doing don done down
    during each few for from further had has have having he her here hers herself him himself his
    how i if in into is isn it its itself just ll me might more most must my myself no nor not now
    of off on once only or other ought our ours ourselves out over own re s same shall she should
    shouldn so some such t than that the their theirs them themselves then there these they this
    those through to too under until up upon us ve very was wasn we were what when where which while
    who whom whose why will with won would wouldn you your yours yourself yourselves
"""
# Without accents, and also spelled with ae, oe, ue.
_GERMAN = """
    aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf
    aus bei beim bis bist da dabei dafuer dafur damit danach dann daran darauf daraus darin darueber
    daruber das dass davon dazu dein deine deinem deinen deiner dem den denen denn der deren des
    dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem
    einen einer eines er es etwas euch euer eure eurem euren fuer fur gegen gewesen hab habe haben
    haette hat hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in ins
    ist ja jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kannst kein keine
    keinem keinen keiner koennen koennte konnen konnte konnten machen man manche mehr mein meine
    meinem meinen meiner mich mir mit muessen muss mussen musste nach nicht nichts noch nun nur ob
    oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollen
    sollte sondern sonst ueber uber um und uns unser unsere unserem unseren unter vom von vor war
    waren warum was weil weiter welche welchem welchen welcher welches wem wen wenn wer werde werden
    wessen wie wieder will wir wird wo wollen womit worden wozu wuerde wuerden wurde wurden zu zum
    zur zwar zwischen
"""
ENGLISH = frozenset(_ENGLISH.split())
GERMAN = frozenset(_GERMAN.split())
