"""Phrases by which people say that something changed, as parts of patterns."""

from __future__ import annotations

import re


def _joined(phrases: str) -> str:
    """Join alternatives that are separated by "|" over several lines into one pattern."""
    return re.sub(r"\s*\n\s*", "", phrases)


# What follows these ended.
ENDING = _joined(
    """
    gave up|give up|killed|axed|nixed|given up|giving up|quit|quits|stopped|dropped|left|abandoned
    |cancell?ed|called off
    |scrapped|shelved|sunset|wound up|wound down|retired|phased out|shut down|shut off|switched off|turned off
    |deleted|removed|archived|discontinued|finished|sold(?! out)|divorced|split up with|broke up with
    |separated from
    |resigned from|resigned as|through with|terminated|cut off|got rid of|threw out|dismantled
    |decommissioned|pulled out of|withdrew from|swore off|ditched|parted ways with|unsubscribed from
    |uninstalled|let go of|closed|ended|stepped down as|stepped back from|gave away|moved away from|moved off
    |weaned off|gone off|went off|took .{1,20} off|lost|no longer needs?|got over|outgrew|can't stand
    |cannot stand|hasn't touched|haven't touched
    |holds? no|broke off|finished with|discharged from|released from|got out of|moved out of|backed out of
    |call(?:ed|s)? .{1,30} off|let(?= .{1,40} (?:lapse|expire|go)\b)|retired from|tore down|pulled|revoked
    |repealed|lifted|waived
    """
)
# Those of them that may be about what stands before: "Owen quit in August", "the instance deleted".
INTRANSITIVE = frozenset(
    "quit stopped retired resigned cancelled canceled scrapped shelved discontinued terminated deleted "
    "removed dismantled decommissioned ditched abandoned dropped ended divorced".split()
)
# Those of them that often describe something that goes on: "sold eleven photographs".
AMBIGUOUS = frozenset("finished sold lost closed left removed ended lifted pulled dropped".split())
BE = r"(?:is|are|was|were|has been|have been|had been|got|been)"
# What stands before "is", "was" … and one of these ended.
ENDED_STATES = _joined(
    """
    over(?= *$| *[,;.])|off(?= *$| *[,;.])|gone|empty|dead|history|no more|off the table|given up|dropped
    |abandoned|cancell?ed|called off|scrapped|shelved|wound up|wound down|retired|phased out|shut down
    |switched off|turned off|deleted|removed|archived|discontinued|terminated|cut off|dismantled
    |decommissioned|ditched|closed(?! (?:book|source|loop|beta|group|list))
    |disbanded|dissolved|revoked|repealed|lifted|waived|refunded|replaced
    |torn down|cut from|taken out|pulled|axed|put to rest|laid off|suspended|on hold|frozen
    """
)
# What stands before these ended.
ENDED_PREDICATES = _joined(
    """
    shut (?:its|their) doors|closed down|fell through|ran out|folded|disbanded|expired|lapsed|died
    |trip cancell?ed|holiday cancell?ed|plans? cancell?ed|passed away|came to an end|went under|pulled out
    |backed out|dropped out|bowed out
    """
)
# "Had the landline cut off".
HAD_REMOVED = "cut off|removed|taken out|disconnected|shut off|switched off"
SWITCHING = _joined(
    """
    moved?|moving|moves|shift(?:ed|ing)?|switch(?:ed|ing)?|switches|migrat(?:ed|ing)|relocated|transferred
    |changed|swapped|converted|ported|rewritten|rewrote|settled|upgraded|downgraded|rolled back|reverted
    |traded
    |exchanged|replaced|replaces|reseated|rehoused|(?:went|gone|going|came) (?:over|back|from)
    |(?:went|gone|going) (?=to (?:hourly|daily|weekly|fortnightly|monthly|quarterly|yearly))
    """
)
REPLACING = _joined(
    """
    has replaced|have replaced|replaced|replaces|supersedes?d?|succeeded|succeeds|took over from
    |takes over from
    """
)
AMOUNTS = _joined(
    """
    raises?d?|lowered|lowers|rises|falls to|drops to|goes up|goes down|climbs|cut|doubled|tripled|halved
    |grew|grown|grows|shrank|shrunk|rose|risen|dropped to|fell to
    |fallen to|up to|down to|up from|down from|expanded|reduced|increased|extended|shortened|scaled|went up
    |went down|gone up|gone down|climbed|sank|trimmed|bumped|only .{1,40} (?:left|remain)|as many as
    |new contract|renegotiated|added|joined by|is at|are at|now at
    """
)
TIMES = _joined(
    """
    put off|put .{1,30} off|put back|pushed (?:.{1,40} )?(?:back|out|to|forward)|postponed|delayed
    |deferred|rescheduled|brought forward
    |pulled forward|moved|moves|shifted|slipped|slips|shelved until|changed to|set back|held over|advanced
    """
)
ROLES = _joined(
    """
    became|becomes|has become|promoted|demoted|appointed|elected|hired as|made (?:chief|head|lead|partner)
    |took on the role|stepped up|stepped down|stood down|resigned|acting|is now (?:an?|the|our)|retrained
    |left .{1,40} (?:board|job|post|role|team)|moved up|transferred|named (?:chief|head|lead)
    """
)
HANDOVER = _joined(
    r"""
    (?:handed|hands|handing)(?! (?:in|out)\b)|took .{0,40}?over from|taken .{0,40}?over from|took over
    |taken over|takes over
    |passed (?:on )?to|passed the|succeeded by|belongs to .{1,30} now
    """
)
OPINIONS = _joined(
    """
    after all|turned out|changed (?:his|her|their|its|my|our) mind|has come to|no longer|not any ?more
    |any ?more|lost (?:his|her|their) taste|went off
    """
)
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
NOW = _joined(
    rf"""
    now|nowadays|these days|currently|since|as of|from \w+ on(?:wards)?
    |from (?:{MONTHS}|next)(?! to | until )|lately|by now|instead|again|back to|has become
    |this (?:year|spring|summer|autumn|fall|winter|month)|for good|at last|finally|recently
    |under the new|meanwhile|in the meantime
    """
)
# What somebody thinks of or says is not yet so.
PLANNING = _joined(
    r"""
    thinks? (?:about|of)|thinking (?:about|of)|consider(?:s|ing|ed)?|idea|maybe|perhaps|might|could
    |propos(?:al|es|ed|ing)|would (?:like|love|rather)|wants? to|will|hopes?|hoping|dreams?|wishes|plans to
    |(?:we|they|i|to|and|who) plan to|planning|intends?|is to come|are to come|in talks|evaluat\w+
    |nothing decided|looking (?:at|into)|option|(?-i:may) (?:move|switch|change|become)|if
    |wonders?|tries|encourag\w+|suggest\w+|advis\w+|recommend\w+|said|says|told|thinks|believes|worries
    |estimates|roadmap|goal(?=:)|'d (?:like|love|rather)|not started|plan(?=: (?:to|move|switch|migrate
    |replace|build|hire|go|use|start|open)\b)
    """
)
