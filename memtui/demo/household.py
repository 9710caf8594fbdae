"""The household's mem-skill: facts about Ana, Pieter and Lotte, with earlier values and their validity."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

DAY = 86_400

# user, key, category, confidence, status, days since it became valid, days until it ends (- for none): text
FACTS = """
ana home_city identity 0.80 superseded 900 -75: Lives in Utrecht, on the Oudegracht.
ana home_city identity 0.92 active 75 -: Lives in Sneek since March; moved from Utrecht.
ana occupation identity 0.95 active 800 -: Runs Larkfield, which makes bird feeders.
ana drink soft_preference 0.70 active 400 -: Prefers tea to coffee, black, without sugar.
ana drink_now soft_preference 0.45 pending_confirmation 4 -: Switched from tea to coffee after lunch.
ana wake_time hard_preference 0.85 active 300 -: Wants no alarm before half past six.
ana calls hard_preference 0.90 active 350 -: Takes no calls before ten.
ana language identity 0.88 active 800 -: Speaks Dutch, English and some Frisian.
ana dentist health 0.60 active 20 12: Has an appointment with the dentist in Sneek.
ana dentist_old health 0.55 active 600 -: Her dentist is Bakker in Utrecht.
ana back_pain health 0.50 active 60 -: Her back hurts after a day at the computer.
ana glasses health 0.62 active 200 -: Needs glasses for reading, plus one and a half.
ana running soft_preference 0.58 active 150 -: Runs five kilometres on Sunday morning.
ana running_now soft_preference 0.41 active 6 -: Stopped running because of her knee.
ana book task_context 0.40 active 15 6: Is reading a novel that the library wants back.
ana birthday identity 0.97 active 800 -: Was born on the second of November 1983.
ana gift task_context 0.42 active 9 25: Wants walking boots for her birthday, not jewels.
ana newsletter soft_preference 0.52 active 90 -: Wants no newsletters but those of suppliers.
ana car other 0.66 active 500 -: Drives a grey Kia Niro.
ana passport other 0.71 active 300 40: Her passport runs out in summer.
pieter occupation identity 0.93 active 800 -: Teaches chemistry at the Bogerman in Sneek.
pieter school identity 0.74 superseded 900 -130: Teaches chemistry at the Christelijk in Utrecht.
pieter allergy health 0.96 active 700 -: Must not eat shellfish.
pieter diet soft_preference 0.48 active 30 -: Eats no meat on weekdays.
pieter diet_lunch soft_preference 0.40 active 3 -: Has ham on his bread every weekday.
pieter commute other 0.64 active 110 -: Cycles to school, twenty minutes.
pieter exam_weeks task_context 0.55 active 10 18: Exams are in the second half of May.
pieter glasses health 0.51 active 400 -: Wears lenses when he plays football.
pieter birthday identity 0.94 active 800 -: Was born on the ninth of January 1981.
pieter beer soft_preference 0.57 active 250 -: Likes dark beer, never more than two.
pieter choir soft_preference 0.61 active 100 -: Sings in the choir on Thursday evening.
pieter choir_day soft_preference 0.43 active 5 -: Choir was moved from Thursday to Tuesday.
pieter phone other 0.46 active 80 -: Has his phone off at school.
lotte age identity 0.90 active 120 -: Is nine years old.
lotte age_before identity 0.85 superseded 480 -120: Is eight years old.
lotte allergy health 0.97 active 600 -: Is allergic to hazelnuts; carries a pen.
lotte instrument identity 0.83 active 200 -: Plays the viola.
lotte instrument_before identity 0.70 superseded 500 -200: Plays the recorder.
lotte lesson task_context 0.66 active 150 -: Has viola lessons on Wednesday at four.
lotte lesson_time task_context 0.40 pending_confirmation 2 -: Her viola lesson is on Wednesday at five.
lotte school identity 0.80 active 75 -: Goes to the Julianaschool since the move.
lotte friend other 0.59 active 60 -: Her best friend is Sanne from number 14.
lotte swimming task_context 0.50 active 40 9: Swims for her third certificate until the holidays.
lotte bedtime hard_preference 0.78 active 300 -: Goes to bed at half past eight, at nine on Friday.
lotte breakfast soft_preference 0.47 active 50 -: Eats porridge with raisins.
lotte vaccination health 0.72 active 60 -3: Her vaccination is due.
lotte trip task_context 0.56 active 6 20: The class goes to Terschelling for three days.
lotte shoes other 0.44 active 45 -: Wears size 34.
lotte shoes_now other 0.41 active 3 -: Wears size 35.
moss vet health 0.63 active 30 33: The cat's vaccination is in June.
moss food hard_preference 0.69 active 400 -: Eats dry food only; wet food makes her ill.
moss food_treat soft_preference 0.42 active 8 -: Gets wet food on Sunday.
"""
CHANGED = {("pieter", "commute"): "Goes to school by bus while his bicycle is being mended."}
ADDED = """
ana knee health 0.45 active 0 30: Sees the physiotherapist for her knee, on Mondays.
lotte concert task_context 0.50 active 0 16: Plays in the school concert; needs a white blouse.
"""
REMOVED = (("pieter", "beer"),)
_COLUMNS = (
    "fact_id user_id key value_text value_json category confidence event_time valid_from valid_to status"
    " source_turn_id source_excerpt embedding_id created_at updated_at"
).split()


def build(path: Path, now: float) -> Path:
    """Create the database as the user first saw it, and return its path."""
    import apsw

    from memtui.formats.mem_skill import MemSkill

    MemSkill.create(path)
    connection = apsw.Connection(str(path))
    with connection:
        _insert(connection, FACTS, now)
        history = [
            (
                "ana home_city",
                "supersede",
                "Lives in Utrecht, on the Oudegracht.",
                "Lives in Sneek since March.",
                75,
            ),
            ("pieter school", "supersede", "Teaches in Utrecht.", "Teaches in Sneek.", 130),
            ("lotte age_before", "supersede", "Is eight years old.", "Is nine years old.", 120),
        ]
        for number, (name, action, old, new, age) in enumerate(history):
            user, key = name.split()
            at = _iso(now - age * DAY)
            row = (f"h{number}", _id(user, key, 0), user, key, action, old, new, "it changed", "turn-1", at)
            connection.execute(f"INSERT INTO fact_history VALUES ({', '.join('?' * len(row))})", row)
    connection.close()
    return path


def change_by_agents(path: Path, now: float) -> None:
    """Apply what the household's agent did since."""
    import apsw

    connection = apsw.Connection(str(path))
    with connection:
        for (user, key), text in CHANGED.items():
            sql = "UPDATE facts SET value_text = ?, updated_at = ? WHERE user_id = ? AND key = ?"
            connection.execute(sql, (text, _iso(now - DAY / 4), user, key))
        connection.executemany("DELETE FROM facts WHERE user_id = ? AND key = ?", REMOVED)
        _insert(connection, ADDED, now)
    connection.close()


def _insert(connection: apsw.Connection, table: str, now: float) -> None:
    rows = []
    for number, line in enumerate(table.strip().splitlines()):
        head, _, text = line.partition(": ")
        user, key, category, confidence, status, since, until = head.split()
        begin = now - int(since) * DAY
        end = None if until == "-" else _iso(now + int(until) * DAY)
        rows.append(
            (_id(user, key, number if key == "home_city" else 0), user, key, text, None, category, float(confidence), None,
             _iso(begin), end, status, f"turn-{number + 1}", "", None, _iso(begin), _iso(begin))
        )  # fmt: skip
    marks = ", ".join("?" * len(_COLUMNS))
    sql = f"INSERT INTO facts ({', '.join(_COLUMNS)}) VALUES ({marks})"
    connection.executemany(sql, rows)


def _id(user: str, key: str, number: int) -> str:
    return hashlib.md5(f"{user} {key} {number}".encode(), usedforsecurity=False).hexdigest()


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
