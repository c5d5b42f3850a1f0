"""The words of each language that carry grammar and no content.

Words that change what a text says stay searchable: negations (`no`, `not`, `pas`, `ne`, `sin`), `with` and `without`,
by which classifications tell codes apart (`avec`, `sans`, `con`), numbers, and French words that are nouns as well
(`été`, `son`, `or`, `plus`). So do French `de`, `des`, `du` and `et`: in the short labels of classifications they
tell siblings apart, and elsewhere their idf makes them harmless (measured on three French collections). A word is
judged on its exact form: `té` and `sûr` stay although `te` and `sur` go. French and Spanish words are listed with their
accents; their spelling without accents goes as well, because text in capitals often lacks them. Vietnamese has no list:
its grammar words are also content words, accents aside or not (`cua`, `thi`), and measured rankings were no better
without them.
"""

from __future__ import annotations


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


ENGLISH = _words(
    """
    a an the this that these those
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves
    am is are was were be been being have has had having do does did doing
    and or but if because as until while so than then
    of at by for from in into on onto to up upon about between through during over under again further once
    what which who whom whose when where why how
    there here all any both each few more most other some such only own same too very just also
    can could will would shall should may might must
    it's that's what's who's there's i'm you're we're they're i've you've we've they've
    """
)

FRENCH = _words(
    """
    le la les un une d au aux à en
    je me moi tu te toi il elle on nous vous ils elles se soi lui leur leurs y
    mon ma mes ton ta tes sa ses notre nos votre vos
    ce cet cette ces cela ça ceci celui celle ceux celles
    qui que quoi dont où combien comment pourquoi quel quelle quels quelles lequel laquelle lesquels lesquelles
    ou mais donc car ni si comme lorsque puisque quand
    par pour dans sur sous vers chez entre
    est sont suis es sommes êtes était étaient étant être
    ai as a avons avez ont avait avaient ayant avoir eu
    sera seront serait seraient soit soient fut furent
    aura auront aurait auraient
    très aussi ainsi alors quelqu'un
    """
)

SPANISH = _words(
    """
    el la los las lo un una unos unas del al de a en
    yo me mí tú te ti él ella ello nosotros nosotras vosotros vosotras ellos ellas usted ustedes se sí nos os le les
    mi mis tu tus su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras
    este esta estos estas ese esa esos esas esto eso aquel aquella aquellos aquellas aquello
    que qué quien quién quienes quiénes cual cuál cuales cuáles cuyo cuya cuyos cuyas donde dónde cuando cuándo
    como cómo cuánto cuánta cuántos cuántas
    y e o u pero si porque pues aunque mientras
    por para desde hasta entre sobre hacia
    es son soy eres somos era eran fue fueron ser sido siendo sea sean será serán sería serían
    está están estaba estaban estar estoy
    ha han he has había habían haber hay habrá haya hayan
    muy más también ya
    """
)
