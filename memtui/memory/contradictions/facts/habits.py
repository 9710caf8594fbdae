"""What somebody does or has, or does not: smoking, drinking, eating meat, a partner, brothers and sisters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.memory.contradictions.facts.fact import Fact, FactFamily, first_match, phrase_pattern
from memtui.memory.contradictions.language.clauses import Clause
from memtui.memory.contradictions.language.lexicon import lexicon
from memtui.memory.contradictions.states.comparison import Comparison

_ONE = r"(?:an?|one|two|three|four|five|six|\d+)"
_PET = r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|parrots?|rabbits?|hamsters?|tortoises?|pon(?:y|ies)|horses?)"
_CHILD = r"(?:sons?|daughters?|child|children|kids?|boys?|girls?|twins|bab(?:y|ies))"
_DRINK = r"(?:wine|beer|whisk(?:e)?y|gin|cider|rum|vodka|ale|lager|champagne|cocktails?|stout|sherry|port)"
_MEAT = r"(?:meat|chicken|beef|pork|steaks?|bacon|ham|lamb|sausages?|burgers?|fish|salmon|tuna)"
_COFFEE = r"(?:coffee|espressos?|flat whites?|lattes?|cappuccinos?|americanos?)"
_NOT = r"(?:does not|doesn't|do not|don't|never|no longer)"

# Topic → phrases that affirm it, phrases that negate it.
_TOPICS = {
    "smoking": (
        rf"smokes|(?:is|a) (?:heavy |chain )?smoker|(?:half )?a pack a day|packs? of {_ONE}? ?cigarettes",
        rf"""
        non-?smoker|{_NOT} smokes?|neither (?:\w+ (?:n?or) )?smokes|nor smokes|smoke-?free
        |(?:quit|gave up|given up|stopped|off) (?:smoking|cigarettes|tobacco)|(?:not|n't) touched a cigarette
        """,
    ),
    "alcohol": (
        rf"""
        (?<!without )(?:glass|glasses|pint|pints|drop|tumbler) of (?:\w+ )?{_DRINK}
        |(?:drinks|enjoys|likes|loves|has|orders) (?:an? |the |some |red |white |craft |dry |his
        |her )*{_DRINK}
        """,
        rf"""
        teetotal(?:l?er)?|{_NOT} drinks?(?: any)?(?: alcohol| a drop)?(?=$|[.,;]| and| or| nor| at all)
        |neither (?:\w+ n?or )?drinks|nor drinks|(?:is|stays|been) sober|abstains from alcohol|alcohol-free
        |(?:quit|gave up|given up|stopped|off) (?:drinking|alcohol|booze)|(?:drinks|touches) no alcohol
        """,
    ),
    "meat": (
        rf"eats? (?:\w+ ){{0,2}}?{_MEAT}|(?:likes|loves|enjoys|orders) (?:an? |the |his "
        rf"|her )?(?:\w+ )?{_MEAT}",
        rf"""
        (?<!not )(?:a )?(?:vegetarian|vegan)|{_NOT} eat(?:s)? (?:any )?meat|meat-?free|eats no meat
        |(?:quit|gave up|given up|stopped eating) meat
        """,
    ),
    "brothers and sisters": (
        rf"""
        (?:his|her|their|{_ONE}|\w+'s) (?:(?:older|elder|younger|big|little|twin|half|step|eldest
        |youngest)[ -]?)*(?:brothers?|sisters?|siblings?)
        """,
        r"only child|no (?:siblings|brothers or sisters|brothers|sisters)|without siblings",
    ),
    "partner": (
        r"(?:his|her|their) (?:husband|wife|spouse|fianc[eé]e?)(?! (?:has )?(?:died|left|passed|was))"
        r"|is married|married to|engaged to|got married|(?:is )?together with|is dating"
        r"|(?:is )?going out with|in a relationship|lives with (?:his|her|their) (?:boyfriend|girlfriend"
        r"|partner)",
        r"single(?=$|[.,;])|is single|unmarried|never married|(?:is|got) divorced|is (?:a )?widow(?:ed|er)?"
        r"|^widow(?:ed|er)|broke up|split up|(?:has |have |are )?separated from"
        r"|called off (?:the|his|her|their) (?:wedding|engagement)|are no longer together",
    ),
    "pets": (
        rf"""
        (?:has|have|owns?|keeps?|got|adopted) {_ONE} (?:\w+ ){{0,2}}?{_PET}|^(?:{_ONE} )(?:\w+ )?{_PET}
        |(?:his|her|their|our) (?:\w+ )?{_PET}
        """,
        r"no (?:pets?|animals)(?! allowed)|(?:does not|doesn't|don't) (?:have|own|keep) (?:any )?(?:pets"
        r"|animals)",
    ),
    "children": (
        rf"(?:has|have) {_ONE} (?:\w+ ){{0,2}}?{_CHILD}|(?:his|her|their) (?:\w+ )?{_CHILD}"
        rf"|(?:mother|father) of",
        r"no (?:children|kids)|childless|(?:does not|doesn't|don't) have (?:any )?(?:children|kids)",
    ),
    "driving": (
        r"drives (?:himself|herself|themselves|to|an?)|drives every|has a driving licen[cs]e|owns a car"
        r"|has a car",
        rf"""
        {_NOT} drive(?:s)?(?=$|[.,;]| and| or| nor| any)|no driving licen[cs]e|(?:has|owns) no car
        |(?:does not|doesn't) (?:own|have) a (?:car|driving licen[cs]e)|(?:gave up|given up|stopped) driving
        |(?:turned in|handed in|gave up|lost|surrendered|returned) (?:his|her|their|the) (?:driving
        |driver's )?licen[cs]e|sold (?:his|her|their|the) (?:only )?car
        """,
    ),
    "working from home": (
        rf"""
        (?:fully|entirely|all|100%) remote(?:ly)?|(?:works?|working) (?:only |entirely |fully )?(?:remotely
        |from home)(?! (?:on|{_ONE}|some|twice|once|sometimes|when|if|every))|nobody has to come in
        |remote[- ]only
        """,
        rf"""
        (?:in|at|from) (?:the |our |his |her )?(?:\w+ )?office (?:{_ONE} days|every day|daily|all week
        |full[- ]time)|{_ONE} days(?: a week)? (?:in|at) the office|on[- ]?site only|office[- ]only
        |no remote work|works? (?:on[- ]?site|in the office)(?=$|[.,;])
        """,
    ),
    "outside money": (
        r"raised (?:an? )?(?:[\w.$€£]+ )?(?:\w+ )?(?:seed|series|round|money)|backed by"
        r"|investors? (?:hold|own|joined)|venture[- ]backed|took (?:outside )?(?:money|funding)",
        r"bootstrapped|self-funded|no (?:outside )?(?:investors|money|funding)"
        r"|never (?:taken|took|raised) (?:\w+ )?money",
    ),
    "coffee": (
        rf"""
        (?:drinks|has|likes|loves|enjoys|starts|takes|needs|orders) (?:\w+ ){{0,5}}?{_COFFEE}
        |(?:double |single |{_ONE} )?(?:espressos?|cups? of coffee|flat whites?|lattes?|cappuccinos?)
        """,
        rf"""
        (?<!not )(?:off|no|without|gave up|given up|quit|stopped drinking|cut out) (?:all )?(?:coffee
        |caffeine)|never (?:touches|drinks) coffee|{_NOT} drink coffee
        |(?:only (?:ever )?(?:herbal )?tea|(?:herbal |black )?tea|decaf|rooibos) only
        |only (?:drinks )?(?:decaf|tea|rooibos)
        """,
    ),
    "joining": (
        r"(?:will join|joins|is joining|starts (?:with us|as)|comes on board|takes over as|will start"
        r"|signed on)(?! in)",
        r"""
        (?:isn't|is not|not|won't be|no longer) (?:join|start|com|becom)ing|won't (?:join|start|come)
        |(?:took|accepted) (?:an |another |a |the )?(?:other )?(?:offer|job) (?:in|at|from|with|elsewhere)
        |turned (?:us|the offer|our offer) down|declined (?:the|our) offer
        """,
    ),
    "custom": (
        r"""
        (?:paying |active |long-time )?(?:customer|client|subscriber)(?: on| of| since|$)
        |on (?:the|our|a) (?:\w+ )?plan|(?:signed up|subscribed|renewed)|paying customer
        |(?:paid|pro|team|enterprise) plan
        """,
        r"""
        cancelled(?: and| their| its|$)|churned|closed (?:their|the|its) account
        |no longer a (?:customer|client)|(?:left|dropped) us|moved to a competitor|free trial
        |has(?:n't| not) paid|stopped paying
        """,
    ),
    "insurance": (
        r"(?:is|are) insured|has (?:\w+ )?insurance",
        r"(?:is|are) (?:not insured|uninsured)|no (?:\w+ )?insurance|insurance (?:has )?lapsed",
    ),
}
_KIN = frozenset(
    "wife husband partner son daughter child brother sister sibling mother father mum mom dad parent "
    "uncle aunt cousin nephew niece grandmother grandfather grandma grandpa friend colleague "
    "roommate flatmate neighbour neighbor boss fiancé fiancée girlfriend boyfriend twin guest".split()
)
_DRUGS = frozenset(
    "penicillin amoxicillin aspirin ibuprofen sulfa codeine antibiotic antibiotics morphine latex "
    "iodine paracetamol novocaine cortisone".split()
)
_ALLERGIC = phrase_pattern(r"(?<!not )allergic to (?:\w+ and )?\w+|(?<!no )\w+ allergy")
_NO_ALLERGY = phrase_pattern(
    r"""
    no (?:known )?(?:(?:drug|food|medication|medicine|other) )?allerg(?:y|ies)|not allergic to anything
    |without (?:any )?allergies
    """
)
_PATTERNS = {topic: (phrase_pattern(yes), phrase_pattern(no)) for topic, (yes, no) in _TOPICS.items()}


def read(text: str) -> Iterator[Fact]:
    """Yield the facts of this family in the text of a clause."""
    text = text.lower()
    for topic, (yes, no) in _PATTERNS.items():
        if word := first_match(no, text):
            yield Fact(topic, False, word)
        elif word := first_match(yes, text):
            yield Fact(topic, True, word)
    if word := first_match(_NO_ALLERGY, text):
        kind = "drug" if "drug" in word or "medic" in word else "food" if "food" in word else ""
        if "other" not in word:
            yield Fact("allergies", (False, kind), word)
    elif word := first_match(_ALLERGIC, text):
        to = word.removesuffix(" allergy").split()[-1]
        yield Fact("allergies", (True, "drug" if to in _DRUGS else "food"), word)


def excludes(one: Fact, other: Fact, comparison: Comparison) -> bool:
    """Whether only one of two such facts with different values can be true."""
    if any(
        fact.value is False and _is_limited_in_time(fact, clause)
        for fact, clause in ((one, comparison.a), (other, comparison.b))
    ):
        return False
    about_relatives = one.topic in ("brothers and sisters", "partner", "children")
    for fact, clause in ((one, comparison.a), (other, comparison.b)):
        if _is_about_relative(clause, comparison) and not (
            about_relatives and _KIN & set(fact.phrase.split())
        ):
            return False
    if isinstance(one.value, tuple) and isinstance(other.value, tuple):
        return one.value[0] != other.value[0] and (
            one.value[1] == other.value[1] or "" in (one.value[1], other.value[1])
        )
    return True


def _is_limited_in_time(fact: Fact, clause: Clause) -> bool:
    """Whether a negative habit holds only at times: "no coffee after 3 pm"."""
    text = clause.text.lower()
    following = text[text.find(fact.phrase) + len(fact.phrase) :]
    return _TIME_LIMIT.match(following) is not None


_TIME_LIMIT = re.compile(r"\s+(?:after|before|at|during|while|when|on|in the|late|outside)\b")


def _is_about_relative(clause: Clause, comparison: Comparison) -> bool:
    """Whether a clause is about somebody else: "his wife is a vegetarian"."""
    others = [
        token for token in clause.content[: clause.subject_end] if token.lemma not in comparison.pair.names
    ]
    return any(
        token.lemma in _KIN or (token.is_name and not lexicon().has_word(token.lemma)) for token in others
    )


FAMILY = FactFamily("polarity", read, excludes)
