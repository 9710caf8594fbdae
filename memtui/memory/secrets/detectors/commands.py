"""Passwords in commands and files of logins: SQL, mysql, sshpass, .netrc, registries."""

from __future__ import annotations

from memtui.memory.secrets.detector import shaped

DETECTORS = (
    shaped(
        "password",
        "identified password",
        r"(?:(?i:identified\s{1,3}(?:with\s{1,3}\w{1,30}\s{1,3})?by)|PASSWORD|password)"
        r"\s{1,3}'(?P<secret>[^'\s]{6,100})'",
    ),
    shaped(
        "password",
        "sshpass mysql mariadb mongo ldapsearch redis-cli",
        r"(?:sshpass|mysql|mysqldump|mariadb)[^\n]{0,120}? -p[\"']?(?P<secret>[^\s\"'-][^\s\"']{5,100})",
        r"(?:mongo|mongosh|mongodump|ldapsearch|sshpass)[^\n]{0,120}? -[pw] "
        r"[\"']?(?P<secret>[^\s\"'-][^\s\"']{5,100})",
        r"redis-cli[^\n]{0,120}? -a [\"']?(?P<secret>[^\s\"'-][^\s\"']{5,100})",
    ),
    shaped(
        "password",
        "login",
        r"login[ \t\n]{1,4}\S{1,100}[ \t\n]{1,4}password[ \t\n]{1,4}(?P<secret>\S{4,100})",
        r"login [^\n]{0,80}(?:-p|--password)[ =][\"']?(?P<secret>[^\s\"'-][^\s\"']{5,100})",
    ),
)
