# SPDX-License-Identifier: Apache-2.0
"""What a hostile caller does to the center. Each attack is a function of a round; `player.py` plays them."""
import os
import struct
import time

import wire
from peer import CENTER, Peer, Unanswered

USER, BOX = "user", "box"
# What attackers outside of any sandbox call themselves.
USER_APPS = [f"attacker.{index}" for index in range(8)]
# The largest body of the messages that are as long as the bus lets through.
LARGE = 60 << 20
ATTACKS = []


class Attack:
    def __init__(self, name, callers, play):
        self.name, self.callers, self.play = name, callers, play


def attack(name, callers=(USER, BOX)):
    def add(play):
        ATTACKS.append(Attack(name, callers, play))
        return play
    return add


class Round:
    """One play of one attack: who plays it, its random numbers, and what it found."""

    def __init__(self, number, caller, app, random, folder):
        self.number, self.caller, self.random, self.folder = number, caller, random, folder
        self.app = app or USER_APPS[number % len(USER_APPS)]
        # Titles that must never be posted, and why.
        self.unwanted = {}
        # Titles that must not be posted after the other.
        self.replaced = {}
        # A name in LOADS, if such a load was sent.
        self.load = None
        # Titles that must be posted.
        self.wanted = []
        self.faults = []

    def id(self, name):
        return f"{name}.{self.number}"

    def request(self, id, **words):
        return {"app": self.app, "id": id, "title": f"{self.caller} {id}"} | {
            "from" if key == "since" else key: value for key, value in words.items()}

    def notify(self, peer, *requests):
        """Asks for all of them, each in a call; returns the answers."""
        return peer.wait_all([peer.send("Notify", "a{sv}", request) for request in requests])

    def clean(self, peer):
        peer.call("Cancel", "sas", self.app, [])
        peer.call("Dismiss", "sas", self.app, [])

    def large(self, peer, member, signature, *values):
        """A message of 60 MiB; a connection that the bus ends for it is no fault of the center's."""
        self.load = "largest"
        try:
            peer.call(member, signature, *values)
        except (ConnectionError, BrokenPipeError):
            pass


def button(id, **words):
    return {"id": id, "title": words.pop("title", id)} | words


# MARK: Rights


@attack("a box borrows the user's file category", [BOX])
def borrow(round):
    with Peer() as peer:
        id = round.id("borrow")
        own = {"id": "backup", "actions": [button("go")]}
        when = {"in": "200ms"} if round.random.random() < 0.5 else {}
        peer.call("SetCategories", "saa{sv}", round.app, [own])
        peer.call("Notify", "a{sv}", round.request(id, category="backup", **when))
        peer.call("SetCategories", "saa{sv}", round.app, wire.Bytes(b""))
        if when:
            peer.stay(0.3)
        for action in ("go", "default"):
            peer.call("Respond", "sssa{sv}", round.app, id, action, {})
        peer.call("Notify", "a{sv}", round.request(id + "b", category="backup"))
        peer.call("History", "sa{sv}", round.app, {"limit": wire.Typed("u", 50)})


@attack("a box lists categories", [BOX])
def list_categories(round):
    with Peer() as peer:
        for app in (round.app, "", "dev.suzu.Suzu"):
            peer.call("Categories", "s", app)
            peer.call("History", "sa{sv}", app, {"limit": wire.Typed("u", 20)})


@attack("a box presses its own buttons", [BOX])
def press(round):
    with Peer() as peer:
        id = round.id("press")
        peer.call("Notify", "a{sv}", round.request(
            id, url="boxed:opened-by-itself",
            actions=[button("a", url="https://box.example/" + id), button("b", url="boxed:" + id)]))
        for action in ("default", "a", "b"):
            peer.call("Respond", "sssa{sv}", round.app, id, action, {})


@attack("19 dialogs at once")
def dialogs(round):
    with Peer() as peer:
        ids = [round.id(f"dialog{index}") for index in range(19)]
        entry = button("t", title="Your keyring password", input={"placeholder": "Password"})
        round.notify(peer, *[round.request(id, actions=[entry]) for id in ids])
        peer.wait_all([peer.send("Respond", "sssa{sv}", round.app, id, "t", {}) for id in ids])


@attack("ids of the center's own", [BOX])
def reserved(round):
    with Peer() as peer:
        ids = ["dev.suzu.digest"] + [f"dev.suzu.question.{round.random.randint(1, 9)}" for _ in range(3)]
        round.notify(peer, *[round.request(id, actions=[button("0", title="Allow")]) for id in ids])
        round.notify(peer, *[round.request(round.id(f"crowd{index}")) for index in range(25)])
        for id in ids:
            for action in ("default", "0", "1"):
                peer.call("Respond", "sssa{sv}", round.app, id, action, {})
                peer.call("Respond", "sssa{sv}", "dev.suzu.Suzu", id, action, {})


@attack("forged signals of a server")
def forge(round):
    with Peer() as peer:
        for number in round.random.sample(range(1, 2000), 50):
            path, interface = "/org/freedesktop/Notifications", "org.freedesktop.Notifications"
            peer.signal(interface, path, "ActionInvoked", "us", number, "go", to=CENTER[0])
            peer.signal(interface, path, "NotificationClosed", "uu", number, 2, to=CENTER[0])
        peer.call("Settings", "s", round.app)


# MARK: Dates


@attack("COUNT with many EXDATE")
def many_exceptions(round):
    with Peer() as peer:
        # Four lines, each as long as one may be.
        days = [f"{1990 + index // 28}{1 + index % 12:02}{1 + index % 28:02}" for index in range(1600)]
        lines = ["EXDATE:" + ",".join(days[start:start + 400]) for start in range(0, len(days), 400)]
        rule = "\n".join(["FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=1;COUNT=1000000000"] + lines)
        words = round.request(round.id("exdate"), rule=rule, since="0001-01-01 00:00")
        if round.random.random() < 0.5:
            peer.call("Next", "a{sv}u", words, 5)
        else:
            peer.call("Notify", "a{sv}", words)


def ask_dates(round, words, count):
    with Peer() as peer:
        peer.call("Next", "a{sv}u", words, count)
        peer.call("Notify", "a{sv}", words)
        round.clean(peer)


@attack("a year of weeks far away")
def far_year(round):
    year = round.random.choice([2500, 2500, 4000, 9999])
    ask_dates(round, round.request(
        round.id("year"), match={"yearForWeekOfYear": year, "weekday": round.random.randint(1, 7)},
        zone="Europe/Paris"), 1)


@attack("seconds in Lord Howe")
def seconds(round):
    ask_dates(round, round.request(
        round.id("seconds"), zone="Australia/Lord_Howe",
        rule="FREQ=SECONDLY;INTERVAL=86399;COUNT=1000;BYMONTH=1,2;BYHOUR=20;BYMINUTE=59"), 1000)


@attack("10,000 dates of BYSETPOS and COUNT")
def positions(round):
    ask_dates(round, round.request(
        round.id("positions"), rule="FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;COUNT=100000"), 10_000)


@attack("bounds at both ends of time")
def bounds(round):
    with Peer() as peer:
        words = [{"until": "9999-12-31T23:59:59-10:00"}, {"since": "0001-01-01T00:00:00+10:00"}]
        requests = [round.request(round.id(f"bound{index}"), every="1h", **word) for index, word in enumerate(words)]
        for request, answer in zip(requests, round.notify(peer, *requests)):
            if answer.error:
                continue
            rows = peer.call("Pending", "sa{sv}", round.app, {}).values[0]
            row = next((row for row in rows if row.get("id") == request["id"]), {})
            for bound in ("until", "from"):
                if bound in request and bound not in row:
                    round.faults.append(f"'{bound}' of an accepted request is not in the list")
        round.clean(peer)


@attack("500 repetitions a second")
def repetitions(round):
    with Peer() as peer:
        count = 500 if round.caller == USER else 90
        requests = [round.request(round.id(f"tick{index}"), every="1s") for index in range(count)]
        peer.call("NotifyMany", "aa{sv}", requests)
        peer.stay(2.5)
        round.clean(peer)


# MARK: Sizes


cache = {}


def cached(name, make):
    if name not in cache:
        cache[name] = make()
    return cache[name]


@attack("Cancel with 2 million ids")
def cancel_many(round):
    # A length, seven characters and a zero: no padding, which the bus would refuse behind the last.
    ids = cached("ids", lambda: b"".join(struct.pack("<I", 7) + b"%07x\0" % index for index in range(2_000_000)))
    with Peer() as peer:
        round.large(peer, round.random.choice(["Cancel", "Dismiss"]), "sas", round.app, wire.Bytes(ids))


@attack("a category of 60,000 actions")
def many_actions(round):
    round.load = "burst"
    def make():
        names = [f"a{index}" for index in range(60_000)]
        category = {"id": "long", "actions": [button(name) for name in names], "default": names[::-1]}
        return bytes(wire.marshal("aa{sv}", [[category]])[4:])
    with Peer() as peer:
        peer.call("SetCategories", "saa{sv}", round.app, wire.Bytes(cached("category", make)))
        peer.call("SetCategories", "saa{sv}", round.app, wire.Bytes(b""))


@attack("60 MiB of empty dictionaries")
def empty_dictionaries(round):
    with Peer() as peer:
        round.large(peer, "NotifyMany", "aa{sv}", wire.Bytes(bytes(LARGE - 4)))


@attack("60 MiB of variants")
def variants(round):
    with Peer() as peer:
        content = cached("variants", lambda: b"\1y\0\7" * (LARGE // 4))
        member = round.random.choice(["Notify", "Watch", "Complete", "NoSuchMethod"])
        round.large(peer, member, "av", wire.Bytes(content))


@attack("a reply of 60 MiB")
def long_reply(round):
    with Peer() as peer:
        id = round.id("reply")
        peer.call("Notify", "a{sv}", round.request(id, actions=[button("t", input={})]))
        round.large(peer, "Respond", "sssa{sv}", round.app, id, "t", {"reply": wire.Typed("s", b"r" * LARGE)})
        round.clean(peer)


@attack("400 calls with 16 descriptors each")
def descriptors(round):
    with Peer() as peer, open(os.devnull) as file:
        words = round.request(round.id("files"), userInfo={"files": wire.Typed("ah", list(range(16)))})
        member, signature, values = round.random.choice([
            ("Notify", "a{sv}", [words]), ("NotifyMany", "aa{sv}", [[words]]), ("Next", "a{sv}u", [words, 1]),
            ("SetCategories", "saa{sv}", [round.app, [words]]), ("NoSuchMethod", "ah", [list(range(16))])])
        try:
            # Behind a call that takes the center a moment, so that they are read at once.
            peer.send("History", "sa{sv}", round.app, {})
            peer.wait_all([
                peer.send(member, signature, *values, descriptors=[file.fileno()] * 16) for _ in range(400)])
        except (ConnectionError, BrokenPipeError):
            pass


@attack("300 requests of 250 kB")
def large_requests(round):
    round.load = "burst"
    with Peer() as peer:
        text = "x" * 250_000
        for _ in range(3):
            round.notify(peer, *[
                round.request(f"large{index}", body=text, **{"in": "2h"})
                for index in round.random.sample(range(300), 100)])
        peer.call("Pending", "sa{sv}", round.app, {})
        if round.random.random() < 0.5:
            round.clean(peer)


@attack("one id again and again with 250 kB")
def same_id(round):
    round.load = "burst"
    with Peer() as peer:
        round.notify(peer, *[round.request("same", body="y" * 250_000) for _ in range(60)])
        peer.call("History", "sa{sv}", round.app, {})


@attack("a run with an argument of 200 kB", [USER])
def long_argument(round):
    with Peer() as peer:
        id = round.id("argument")
        run = ["/bin/true", "z" * 200_000]
        peer.call("Notify", "a{sv}", round.request(id, actions=[button("go", run=run)]))
        peer.call("Respond", "sssa{sv}", round.app, id, "go", {})


# MARK: Ends


@attack("folded bursts")
def burst(round):
    with Peer() as peer:
        count = 200 if round.caller == USER else 80
        peer.call("NotifyMany", "aa{sv}", [round.request(round.id(f"burst{index}")) for index in range(count)])
        peer.call("Delivered", "sa{sv}", round.app, {})


@attack("an app in front that does not answer")
def stall(round):
    with Peer() as peer:
        app = f"attacker.front.{round.number}" if round.caller == USER else round.app
        round.app, id = app, round.id("front")
        peer.call("Attach", "s", app)
        peer.call("InFront", "sb", app, True)
        start = time.monotonic()
        taken = peer.call("Notify", "a{sv}", round.request(id))
        if round.random.random() < 0.7:
            peer.call("Cancel", "sas", app, [id])
            peer.call("Dismiss", "sas", app, [id])
            # The center asks for two seconds: within one, nothing can have been shown.
            if not taken.error and time.monotonic() - start < 1:
                round.unwanted[f"{round.caller} {id}"] = "taken back while its app was asked, and shown"
        peer.stay(round.random.choice([0.2, 2.5]))
        round.clean(peer)


@attack("an app in front that answers for the new one only")
def overtake(round):
    with Peer() as peer:
        app = f"attacker.new.{round.number}" if round.caller == USER else round.app
        round.app, id = app, round.id("again")
        peer.call("Attach", "s", app)
        peer.call("InFront", "sb", app, True)
        requests = [round.request(id) | {"title": f"{round.caller} {age} {id}"} for age in ("old", "new")]
        answers = round.notify(peer, *requests)
        for _ in requests:
            call = peer.asked(2)
            if call and call.values[2].get("title") == requests[1]["title"]:
                peer.answer(call, "as", ["alert"])
        peer.stay(2.5)
        if not any(answer.error for answer in answers):
            round.replaced[requests[0]["title"]] = requests[1]["title"]
        round.clean(peer)


@attack("ids that differ in normalisation only", [USER])
def normalisation(round):
    with Peer() as peer:
        round.app = f"attacker.alike.{round.number}"
        names = [round.id("caf\u00e9"), round.id("cafe\u0301")]
        peer.call("Watch", "b", True)
        requests = [round.request(id, style="alert") | {"title": f"alike {index} {round.number}"}
                    for index, id in enumerate(names)]
        for request, answer in zip(requests, round.notify(peer, *requests)):
            if not answer.error:
                round.wanted.append(request["title"])
        own = lambda values: values[0] == round.app
        shown = [peer.hear("Delivered", own, 10) for _ in round.wanted[-2:]]
        rows = peer.call("Delivered", "sa{sv}", round.app, {}).values[0]
        if all(shown) and len(rows) == 1:
            round.faults.append("one of two ids that differ took the place of the other")
        round.clean(peer)


@attack("snoozed ids of 255 bytes", [USER])
def snooze(round):
    with Peer() as peer:
        round.app = f"attacker.snooze.{round.number}"
        id = round.id("s").ljust(255, "s")
        peer.call("Watch", "b", True)
        title = f"snoozed {round.number}"
        taken = peer.call("Notify", "a{sv}", round.request(
            id, every="1s", actions=[button("later", snooze="1s")]) | {"title": title})
        own = lambda values: values[0] == round.app
        if taken.error or not peer.hear("Delivered", own, 10):
            return
        peer.call("Respond", "sssa{sv}", round.app, id, "later", {})
        answer = peer.hear("Responded", lambda values: values[1] == round.app, 10)
        number = answer and answer.values[0]
        ended = answer and peer.hear("Outcome", lambda values: values[0] == number, 10)
        if ended and ended.values[1] == "done":
            # The repetition goes on beside it.
            again = lambda values: own(values) and values[1].endswith(".snoozed")
            if not peer.hear("Delivered", again, 10):
                round.faults.append("a snoozed request whose outcome is 'done' did not come again")
        peer.call("Cancel", "sas", round.app, [id])
        round.clean(peer)


pending_questions = []


@attack("Register, and cancel --all meanwhile")
def register(round):
    if round.caller == BOX:
        # One question at a time; the user does not answer it.
        for peer, serial in pending_questions[:]:
            if serial in peer.answers:
                pending_questions.remove((peer, serial))
                peer.close()
        if not pending_questions:
            peer = Peer()
            pending_questions.append((peer, peer.send("Register", "sas", round.app, ["alert", "sound"])))
        return
    with Peer() as peer:
        for app in ("dev.suzu.Suzu", round.app):
            peer.call("Cancel", "sas", app, [])
            peer.call("Dismiss", "sas", app, [])
        peer.call("Register", "sas", round.app, ["alert"])


@attack("background children that hold the output", [USER])
def children(round):
    with Peer() as peer:
        id = round.id("child")
        # It ends with the test, which holds the other end of the pipe.
        run = ["/bin/sh", "-c", 'cat "$1" & echo started', "sh", os.path.join(round.folder, "children")]
        peer.call("Notify", "a{sv}", round.request(id, actions=[button("go", run=run)]))
        peer.call("Respond", "sssa{sv}", round.app, id, "go", {})


@attack("Attach without Complete")
def attach(round):
    with Peer() as peer:
        id = round.id("handler")
        peer.call("Attach", "s", round.app)
        peer.call("Notify", "a{sv}", round.request(id, actions=[button("mine")]))
        peer.call("Respond", "sssa{sv}", round.app, id, "mine", {})
        peer.hear("Responded", lambda _: True, 0.5)


# MARK: Connections


@attack("connecting and leaving at once")
def leave(round):
    for index in range(40):
        with Peer() as peer:
            peer.send("Notify", "a{sv}", round.request(round.id(f"left{index}"), **{"in": "1h"}))
    with Peer() as peer:
        round.clean(peer)


@attack("unfinished authentication")
def authentication(round):
    peers = [Peer(hello=False) for _ in range(30)]
    for peer in peers:
        peer.socket.sendall(round.random.choice([b"", b"\0", b"\0AUTH ", b"\0AUTH EXTERNAL 30\r\n", b"AUTH\r\n" * 9]))
    for peer in peers:
        peer.close()


@attack("invalid messages")
def invalid(round):
    for _ in range(10):
        with Peer() as peer:
            whole = wire.marshal("yyyyuua(yv)", [ord("l"), 1, 0, 1, 40, 7, [
                (1, wire.Typed("o", CENTER[1])), (3, wire.Typed("s", "Notify")), (6, wire.Typed("s", CENTER[0])),
                (8, wire.Typed("g", "a{sv}"))]])
            wire.pad(whole, 8)
            whole += bytes(40)
            for _ in range(round.random.randint(1, 6)):
                whole[round.random.randrange(len(whole))] = round.random.randrange(256)
            try:
                peer.socket.sendall(whole[:round.random.randint(1, len(whole))])
                peer.socket.sendall(bytes(round.random.randint(0, 64)))
            except OSError:
                pass  # the bus has ended the connection


# MARK: Before and afterwards

# How long an idle peer may take to refuse a load. A busy machine needs ten seconds for 60 MiB; only the measured time
# counts.
LOAD_TIMEOUT = 120


def send_burst(name):
    """Sends 25 MB at once to a peer, which refuses each message."""
    to = (name, "/", "org.freedesktop.DBus.Peer")
    with Peer(timeout=LOAD_TIMEOUT) as peer:
        body = "x" * 250_000
        peer.wait_all([peer.send("NoSuchMethod", "a{sv}", {"body": body}, to=to) for _ in range(100)])


def send_large(name):
    """Sends each of the largest messages to a peer, which refuses them."""
    to = (name, "/", "org.freedesktop.DBus.Peer")
    with Peer(timeout=LOAD_TIMEOUT) as peer:
        for signature, value in [("aa{sv}", wire.Bytes(bytes(LARGE - 4))), ("av", wire.Bytes(b"\1y\0\7" * (LARGE // 4))),
                                 ("s", b"r" * LARGE)]:
            peer.wait(peer.send("NoSuchMethod", signature, value, to=to))


def tidy(app):
    """Takes back all that is pending or shown; the user also puts the center's questions away."""
    apps = [app] if app else USER_APPS + ["dev.suzu.Suzu"]
    with Peer() as peer:
        for app in apps:
            peer.call("Cancel", "sas", app, [])
            peer.call("Dismiss", "sas", app, [])


# What takes libdbus long, in every program that receives it.
LOADS = {"largest": send_large, "burst": send_burst}


def unanswered_questions():
    """Registrations that are not answered although their question has been put away."""
    faults = []
    for peer, serial in pending_questions:
        try:
            peer.wait(serial, 10)
        except (Unanswered, ConnectionError):
            faults.append("'Register' was not answered after its question was put away")
        peer.close()
    pending_questions.clear()
    return faults
