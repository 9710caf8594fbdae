"""What stands for a secret and is none: placeholders of documentation, references, masks, hashes (S-62)."""

from __future__ import annotations

from memtui.memory.secrets.detector import compiled

# The whole value refers to a secret that is elsewhere, or shows where one belongs.
_WHOLE = r"""(?isx)<.*>?
    |\[.*\]?|\{.*|\$\{.*|\$\(.*|\$\w+\$?|%\w*%|%\(.*|%[sd]|\#\{.*|@\w+@|@microsoft\.keyvault.*
    |[!&*]\w*[a-z_]|~|-+|_+|\.+|…|null|none|nil|true|false|undefined|empty|todo|tbd|n/?a
    |(?:op|vault|secret|secrets|ssm|sm|awssm|gcpsm|keyring|keychain|env|file|pass|bws|doppler|ref|aws|azure|gcp)
    :{1,2}/{0,2}[\w./@:\#-]*
    |(?:arn:|projects/|enc\[|\{cipher\}|\$2[aby]\$|\$argon2|\$[156]\$|\$scrypt|\$pbkdf2|pbkdf2_|scrypt:|bcrypt\$|\{ssha).*
    |(?:sha(?:1|224|256|384|512)|md5|h1|blake[23]b?)[:=-].*
    |(?:os\.|process\.|import\.meta|deno\.|env[.(\[]|getenv|config[.(\[]|settings[.(\[]|secrets[.(\[]|self\.|this\.|ctx\.
    |var\.|local\.|data\.|module\.|args\.|options\.|opts\.|params\.|props\.|request\.|req\.|res\.|user\.|credentials\.).*
    |[a-z_](?:[\w.]|::|->)*[(\[].*
    |pass(?:word|wd|phrase)?\d{0,4}|pwd|pw|secret|token|api_?key|key|user(?:name)?|admin|root|guest|postgres|test
    |test(?:ing)?[_-]?(?:pass(?:word)?|key|token|secret)?\d{0,3}|string|str|bytes|text|value|example
    |(?:my|some|any|the|new|old|fake|mock)[_-]?(?:super[_-]?)?(?:secret|pass(?:word)?|token|key|api[_-]?key)[\w-]{0,12}
    |foo(?:bar)?|bar|baz|qux|abc|abc123|12345\d*|qwerty|letmein|hidden|masked|removed|private"""
# A part of the value says so. Random tokens contain such words once in a million.
_PART = (
    r"(?:EXAMPLE|example)(?![a-z])|(?:\bYOUR|\byour)[_A-Z-]|your[_-]|YOUR[_-]|(?<![A-Za-z])your(?=[A-Z])"
    r"|[Pp]lace-?_?holder|PLACE_?HOLDER|[Rr]edact|REDACT|[Cc]hange[_-]?me|CHANGE[_-]?ME|[Rr]eplace[_-]?(?:me|with)"
    r"|REPLACE[_-]?(?:ME|WITH)|INSERT[_-]|insert-|[Dd]ummy|DUMMY|not[_-]?a?[_-]?real|(?<![A-Za-z])[Ff]ake[_-]"
    r"|FAKE[_-]?(?:KEY|TOKEN)|deadbeef|DEADBEEF|[•●∙█]|\*{3,}|\.\.\.|…|[xX]{5,}|(?<![A-Za-z0-9])[xX]{3,}|[#?]{3,}|_here\b|_HERE\b|-here\b"
    r"|\{\{|\$\{|<[a-z][\w -]*>|0{12,}|1{12,}"
)
_SIGNATURE = "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"  # of the token in most introductions to JWT
_MOST_SAME = 0.4  # share of one character from which a long value is filling
_LONG = 16


def is_placeholder(value: str) -> bool:
    """Return whether a value that is shaped like a secret only stands for one."""
    if len(value) <= 200 and compiled(_WHOLE).fullmatch(value):
        return True
    if compiled(_PART).search(value, 0, 4000) or _SIGNATURE in value:
        return True
    if len(value) >= _LONG:
        low = value[:400].lower()
        return max(map(low.count, set(low))) > _MOST_SAME * len(low) or len(set(low)) < 6
    return len(set(value)) == 1
