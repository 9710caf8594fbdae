"""Function words, frames and word classes that the detectors use."""

from __future__ import annotations

from collections import defaultdict


def _phrase_set(text: str) -> frozenset[str]:
    return frozenset(" ".join(part.split()) for part in text.split("|"))


PRONOUNS = dict.fromkeys("i me my mine myself user users user's".split(), "user")

# Function words, which carry no content.
STOP_WORDS = frozenset(
    """
    'll 'm 're 've a about above across after again against all along already also although always
    am among an and another any are around as at away back be because been before behind being below
    beneath beside between both but by can could currently did do does don done down dr during e.g
    each eg etc ever every everything except for from generally had has have having he her here
    herself him himself his how however i.e ie if in inside into is it its itself just let many may
    might more most mr mrs ms much must near next nor not now of off often ok okay on one's only
    onto or other our ours out outside over own per please prof quite really s shall she should
    since so some still such t than that the their them themselves then there therefore these they
    this those though through throughout thus times to too toward towards typically under unless
    until up upon us usually very via was we well were what when whenever where which while who whom
    whose will with within without would yes yet you your yours
    """.split()
)

# Function words that make no difference even where everything else is equal.
FILLERS = frozenset(
    """
    'll 'm 're 've a already also always am an and are as at be been being by currently did do does
    generally had has have he her here him his is it its just now of often our own please quite
    really s shall she should so some still such t that the their them then there these they
    this those times to too typically us usually very was we were what which who whose will would
    yet you your
    """.split()
)

# Function words that connect what follows to the sentence.
MARKERS = frozenset(
    """
    about after against as at before between by during except for from if in into of on only over
    per since through to under unless until via when whenever while with within without
    """.split()
)

# Words before "May" where it is the month.
BEFORE_MAY = frozenset(
    """
    by during early every for from in last late mid next of since this until
    """.split()
)

# Those of the markers that say when or under which condition.
SCOPE_MARKERS = frozenset(
    """
    after before during except for if only since unless until when whenever while
    """.split()
)

# Words that say where or when without a marker.
SCOPE_WORDS = frozenset(
    """
    abroad afternoon android annually asia autumn backup beta canary christmas ci daily daytime
    desktop dev development easter eu europe evening eventually external fall former formerly h1 h2
    historically holiday home hourly initially internal ios last lately legacy linux local locally
    mac macos main mobile monthly morning new night nightly occasionally office old once originally
    overnight personal preview previous previously primary private prod production public qa
    quarterly recently sandbox second-hand secondary sometimes soon spare spring sprint staging
    summer temporarily test testing today tomorrow tonight us vacation web weekday weekend weekly
    windows winter work yearly yesterday
    """.split()
)

# First words of clauses about anybody: "a man", "two dogs".
GENERIC_STARTS = frozenset(
    """
    a an another big both boys cats children dogs eight few five four girls group kids little many
    men nine no nobody none old one people seven several six small some somebody someone ten three
    two women young
    """.split()
)

# Negating words.
NEGATORS = frozenset(
    """
    arent barely cant didnt doesnt dont hardly isnt n't neither never no nobody non none noone nope
    nor not nothing nowhere wasnt wont
    """.split()
)

# Phrases with a negating word that negate nothing.
NON_NEGATING_PHRASES = _phrase_set(
    """
    if not | no other | never fail | never forget | never mind | no doubt | no earlier | no fewer | no later |
    no less | no matter | no more than | no one but | no problem | not all | not always | not every
    | not exceed | not forget | not help | not just | not least | not less | not merely | not more
    than | not necessarily | not only | not sure | not to mention | not until | not wait | not yet
    decided | or not | whether or not | why not
    """
)

# Negating adjectives.
NEGATIVE_ADJECTIVES = frozenset(
    """
    banned disallowed forbidden impossible prohibited unwelcome
    """.split()
)

# Verbs that negate what follows.
NEGATING_VERBS = _phrase_set(
    """
    abandon | avoid | cancel | cease | close down | decommission | delete | discontinue | ditch |
    drop | fail | give up | lack | omit | quit | refuse | remove | retire | scrap | shut down | skip
    | stop | terminate | use
    """
)

# Frames (names with "@") with the phrases that state them.
_FRAME_TEXTS = """
@lives in: lives and works in|live and work in|live in|lives in|living in|resides in|reside in
    |residing in|is based in|based in|based out
    of|lives at|headquartered in|head office is in|headquarters are in|hq is in|home is in|home city is
    |located in|is located in|settled in|hometown is|calls home|home is a flat in|home is a house in
    |home is in
@works at: on the payroll of|work at|works at|working at|work for|works for|working for|employed by|employed
    at|is employed by|is employed at|has a job at|job at|employer is|current employer is|works as an
    employee of
@works as: earns a living as|earns her living as|earns his living as|earns their living as|makes a living
    as|by profession|work as a|works as a|works as an|works as|work as|working as|job title is|occupation
    is|profession is|job is|role is|is employed as a|is employed as
@prefers: would rather|prefer|prefers|preferred|favors|favours|favor|favour|would rather use|would rather
    have|likes best|favorite is|favourite is|preference is|go-to is|defaults to
@favourite: favorite|favourite
@named: is named|is called|named|called|goes by|name is|'s name is
@due: is due on|is due|due on|due by|due date is|deadline is|must be finished by|must be done by|due
@timezone: time zone|timezone|tz
@runs on: run on|runs on|running on|hosted on|is hosted on|hosted at|hosted in|is hosted in|deployed
    on|deployed to|is deployed on|is deployed to|deploys to|deploy to|deploys on|lives on|runs in|run
    in|served from
@listens on: listens on port|listen on port|listening on port|listens on|runs on port|exposed on port|served
    on port|binds to port|bound to port|port is|on port
@married to: is married to|married to|is engaged to|engaged to|is dating|dating|in a relationship with
@reports to: reports to|report to|manager is|boss is|supervisor is|line manager is
@owned by: is headed by|headed by|is chaired by|chaired by|owned by|is owned by|owner is|maintained by|is
    maintained by|led by|is led by|lead is|managed by|is managed by|run by|responsible is|assigned to|is
    assigned to|assignee is
@owns: chairs|chair|heads|head|coaches|directs|captains|hosts|owns|own|leads|lead|manages|maintains|heads|is
    responsible for|responsible for|in charge of|is the owner of|is the lead of|is the maintainer of|is the
    manager of|looks after|takes care of|is lead for|is on point for
@written in: is written in|written in|built in|is built in|implemented in|coded in|is implemented in
@costs: costs|cost|is priced at|priced at|price is|pays|pay|charges|fee is|budget is|rent is|salary is|earns
@uses: uses|use|using|relies on|is using|utilises|utilizes|works with|is powered by|powered by|backed by|is
    backed by|is built with|built with|is built on|built on|made with|standardised on|standardized on
@stored in: is stored in|stored in|kept in|lives under|saved in|is kept in|stored at|are stored in|are kept
    in|stored on|written to|stores its data in
@licensed: licensed under|is licensed under|license is|licence is|released under
@born: was born in|born in|was born on|born on|birthday is|birthday is on|birth date is
@starts at: is planned for|planned for|starts at|begins at|start at|starts on|begins on|takes place on|takes
    place at|takes place in|is scheduled for|scheduled for|is held on|held on|is held in|held in|happens
    on|happens at|meets on|meet on|meets at
@ends at: ends at|ends on|closes at|finishes at|expires on|expires in|expires after|expire after|expire in
@drives: drives a|drives an|drives|drive a
@has: has|have|owns a
@studies at: studies at|goes to school at|attends|is enrolled at|is a student at|graduated from
@default: default branch is|default is|defaults to|by default uses
@version: target|version is|at version|on version|pinned to|is pinned to|pinned at|is pinned
    at|requires|targets|runs version
@limited to: is limited to|limited to|capped at|is capped at|maximum is|limit is|limit of|timeout is|times
    out after|set to|is set to
@reached at: phone number is|phone is|email is|e-mail is|address is|can be reached at|reachable at
"""

# Keys of "key: value" that are equivalent to a frame.
FRAMES_OF_KEYS = {
    key: relation
    for relation, keys in {
        "@owned by": "owner|lead|maintainer|assignee|assigned to|responsible|maintained by|owned by|led by"
        "|manager",
        "@lives in": "home|city|lives in|residence|hometown|home city",
        "@works at": "employer|company|works at|works for",
        "@works as": "role|job|job title|profession|occupation|position",
        "@written in": "language|written in|programming language|implementation language",
        "@runs on": "host|hosting|platform|runs on|hosted on|deployed on|deployed to",
        "@listens on": "port|listens on",
        "@due": "due|deadline|due date",
        "@timezone": "timezone|time zone",
        "@licensed": "license|licence",
        "@costs": "price|cost|costs|fee|rent|salary|budget",
        "@version": "version|pinned to",
        "@born": "birthplace|place of birth|born|born in|date of birth|birth date",
        "@married to": "partner|spouse|husband|wife|married to",
    }.items()
    for key in keys.split("|")
}

# Frames with one value at a time; of the others a thing may have several (LIMITS 10).
SINGLE_VALUED = _phrase_set(
    """
    @born | @costs | @default | @drives | @due | @ends at | @favourite | @licensed | @limited to |
    @listens on | @lives in | @married to | @named | @owned by | @prefers | @reached at | @reports
    to | @runs on | @starts at | @stored in | @studies at | @timezone | @version | @works as |
    @works at | @written in
    """
)

# Frames whose object has one subject at a time.
SINGLE_SUBJECT = frozenset({"@owns"})


def _frames() -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in _FRAME_TEXTS.replace("\n    ", " ").strip().splitlines():
        name, _, phrases = line.partition(":")
        found.append((name, [" ".join(text.split()) for text in phrases.split("|")]))
    return found


def _frame_phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    for name, texts in _frames():
        for text in texts:
            words = tuple(text.split())
            found[words[0]].append((words, name))
    for each in found.values():
        each.sort(key=lambda pair: len(pair[0]), reverse=True)
    return dict(found)


FRAMES = frozenset(name for name, _ in _frames())
FRAMES_OF_PHRASES = {text: name for name, texts in _frames() for text in texts if " " in text}
FRAME_PHRASES = _frame_phrases()  # first word → (all words, frame), longest first

# Verbs that describe how things are, or what happens only once, in the past tense, too.
STATIVE_VERBS = frozenset(
    """
    accept allow approve archive assign avoid base be bear begin believe belong block break build
    call cap carry choose close complete configure consist contain cost decide default deny depend
    deploy deprecate disable dislike drink eat employ enable enjoy equal expect fail finish follow
    forbid found freeze graduate hate have hire hold host include join keep know launch lead lean
    license lie like limit listen live locate love maintain manage marry mean merge migrate name
    need occur open own pass permit pick pin plan play prefer reject rely remove require retire run
    schedule select set ship sign sit speak stand start store support target think turn use want
    wear weigh work write
    """.split()
)

# Verbs that may have several objects.
MULTI_VALUED_VERBS = frozenset(
    """
    @has @owns @uses accept add allergic allergy allow attend bake bring buy check collect consider
    contain cook discuss dislike drink eat enjoy explore fix fly follow give grow handle hate help
    hike include interested know learn like listen love make manage meet mention need offer paint
    perform play provide read recommend review see sell send serve speak study support swim take
    teach test travel try use visit walk want watch write
    """.split()
)

# Keys that may have several values, or whose value is no single fact.
MULTI_VALUED_KEYS = frozenset(
    """
    container volume mount plugin extension addon package allergy hobby sport device sensor playlist job cron
    affects alias allergy also answer ask attendee author blocker bug call caveat certificate child
    command client colleague competitor component contact contributor customer daughter decision
    depend dependency detail diary dislike
    doc endpoint error event example fact feature file fix friend goal guest history hobby how idea
    image important improvement info ingredient input insight interest issue item journal key
    keyword label language learn lesson library like limitation link log meeting member memory
    mention milestone mistake name network note observation output parameter participant path
    pattern people pet player plugin pr problem progress protocol question radio reason recipe
    reference related relates remark remember reminder repo requirement resource result risk rule
    see service sibling skill snippet solution son source stack sponsor stakeholder step summary support
    symptom tag task tech tenant technology test thread tip todo tool topic trip update url usage use user
    visit warning why word
    """.split()
)


_SINGLE_LANGUAGE_KEYS = frozenset(
    "answer answers reply response chat ui default primary preferred main target commit documentation".split()
)


def is_multi_valued_key(key: str) -> bool:
    """Whether a thing may have several values of this key ("competitor of Plover")."""
    words = key.split()
    if words[-1:] == ["language"] and words[0] in _SINGLE_LANGUAGE_KEYS:
        return False
    if words[-1:] and words[-1] in ("on", "to", "with", "by", "of"):
        words = words[:-1]  # "depends on"
    head = key.partition(" of ")[0].partition(" for ")[0].split()
    return bool(MULTI_VALUED_KEYS & {key, *words[-1:], *head[-1:]})


# Classes of which a project or a person mostly has one member at a time, by the start of their names.
EXCLUSIVE_CLASSES = (
    "editors", "javascript package", "python package", "package managers", "shells", "terminals",
    "operating", "browsers", "chat tools", "issue trackers", "clouds", "cloud regions", "front-end",
    "back-end", "css frameworks", "orms", "linters", "formatters", "licences", "keyboard", "password",
    "build tools", "databases", "calendar apps", "e-mail clients", "infrastructure", "monitoring",
    "payment providers", "state managers", "blood", "marital", "version control", "orchestrators",
    "ci systems", "python test", "javascript test", "message queues", "diets", "auth providers",
    "note apps", "wiki", "naming", "indentation", "handedness", "employment", "versioning",
)  # fmt: skip

# Classes of times, of which an event has one.
TIME_CLASSES = ("weekday", "month", "season", "times of day")

# Words that change or limit the meaning of a sentence: never a harmless difference.
QUALIFIERS = frozenset(
    """
    above after again against all almost always another any attempt avoid before begin below both
    consider deny doubt down every ex except fail fake few finish first former formerly hardly if in
    inside into last least less many may maybe might more most nearly never new next no none not
    occasionally off often old on once only other out outside over perhaps plan possibly pretend
    previous previously probably rarely refuse seldom some sometimes start stop try twice under
    unless until up want when while with without yet
    """.split()
)

# Classes whose members distinguish two scenes rather than contradict each other.
SCENE_CLASSES = _phrase_set(
    """
    activities in a scene | animal groups | bird | birds | containers for things | dog | family
    roles | feline | fish | gaits and ways of moving | hobbies | insects and small animals | mammals
    | motor_vehicle | people by age and sex | pets | professions | relations between people | sport
    | sports | things one does with a ball | toys | vehicles
    """
)

# Words that count little in a negation.
LIGHT_WORDS = frozenset(
    """
    @has @owns access ago allow anyone anything exist keep need own permit person require somebody
    someone something thing try welcome
    """.split()
)

# Words that carry little meaning ("takes place", "is used for"), so that a difference in them is none.
LIGHT_VERBS = _phrase_set(
    """
    @has | @named | @owns | @runs | @runs on | @starts at | @stored in | @uses | @written in |
    amount | be | become | call | come | consist | contain | current | do | execute | exist | get |
    go | happen | have | kind | main | make | member | name | new | number | occur | on | own |
    owner | people | perform | place | provide | region | run | say | take | tell | thing | time |
    total | type | use | value | way
    """
)

# Phrases that mean the same as a plain word.
PARAPHRASES = {
    "like": "fond of|keen on|a fan of|big fan of|really into",
    "hate": "can not stand|not a fan of|not fond of|not keen on|not care for|not into|could not stand",
    "speak": "fluent in|speaks fluent|is fluent in|speaks perfect",
    "oppose": "is against|are against",
    "forbidden": "off limits|off-limits",
    "urgent": "high priority|top priority",
    "job": "full-time job|part-time job|day job",
    "request": "req|reqs",
    "unemployed": "out of work|without a job|between jobs",
}

# Environments and times in which a thing may differ from others.
ENVIRONMENTS = frozenset(
    "staging production prod dev development local locally weekday weekdays weekend weekends backup "
    "canary sandbox preview mobile desktop".split()
)

# Verbs that describe what is not so yet.
INTENTION_VERBS = frozenset("hope want plan intend wish consider dream look expect".split())

# Verbs with too many meanings to be synonyms of another.
VAGUE_VERBS = frozenset("get have make do take go come set run put be give keep".split())
