#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sends what costs a center most in one turn of its loop. The first line lists the inputs. A line with the name of one
comes in. A line goes out: the nanoseconds that libdbus takes for its longest check of a message of this input, and the
answers, each as 'ok' or the name of the error."""
import ctypes
import struct
import sys
import time

import attacks
import wire
from peer import Peer

APP = "turns"
INPUTS = {}
MANY = 20_000


def play(name):
    def add(function):
        INPUTS[name] = function
        return function
    return add


def request(id, **words):
    return {"app": APP, "id": str(id), "title": f"title {id}"} | {key.rstrip("_"): value for key, value in words.items()}


def dates(words, count):
    """Asks for the dates of a request, and makes it."""
    def ask(peer):
        return [peer.call("Next", "a{sv}u", request("dates", **words), count),
                peer.call("Notify", "a{sv}", request("dates", **words))]
    return ask


def exceptions():
    days = [f"{1990 + index // 28}{1 + index % 12:02}{1 + index % 28:02}" for index in range(1600)]
    lines = ["EXDATE:" + ",".join(days[start:start + 400]) for start in range(0, len(days), 400)]
    return "\n".join(["FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=1;COUNT=1000000000"] + lines)


INPUTS["a rule with COUNT and 1,600 EXDATE from the year 1"] = dates({"rule": exceptions(), "from": "0001-01-01 00:00"}, 5)
INPUTS["a match of a week in the year 9999"] = dates(
    {"match": {"yearForWeekOfYear": 9999, "weekday": 3}, "zone": "Europe/Paris"}, 1)
INPUTS["a match of no day"] = dates({"match": {"month": 2, "day": 30}}, 1)
INPUTS["a rule of seconds that are never reached"] = dates(
    {"rule": "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=20;BYMINUTE=59;BYSECOND=1", "zone": "UTC", "from": "2026-11-21 20:59:00"}, 1)
INPUTS["a rule of seconds in two months in Lord Howe"] = dates(
    {"zone": "Australia/Lord_Howe",
     "rule": "FREQ=SECONDLY;INTERVAL=86399;COUNT=1000;BYMONTH=1,2;BYHOUR=20;BYMINUTE=59"}, 1000)
INPUTS["10,000 dates of BYSETPOS and COUNT"] = dates({"rule": "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;COUNT=100000"}, 10_000)
INPUTS["10,000 dates of a minute"] = dates({"every": "1m"}, 10_000)
INPUTS["a rule with all that it may have"] = dates(
    {"rule": "FREQ=YEARLY;BYMONTH=" + ",".join(map(str, range(1, 13))) + ";BYMONTHDAY=" + ",".join(map(str, range(1, 32)))
     + ";BYHOUR=" + ",".join(map(str, range(24))) + ";BYMINUTE=" + ",".join(map(str, range(60)))
     + ";BYSECOND=" + ",".join(map(str, range(60))) + ";BYSETPOS=-1"}, 1000)
INPUTS["a window of a second a week"] = dates(
    {"on": "signal org.example.Turns.Done", "repeat": True, "during": "Mon 03:00:00..03:00:01"}, 1)


@play("conditions with windows, met at once")
def windows(peer):
    spans = ",".join(f"{hour:02}:{minute:02}..{hour:02}:{minute + 1:02}" for hour in range(24) for minute in range(0, 59, 5))
    return conditions(peer, {"during": "Mon..Sun " + spans})


@play("1,000 conditions, met at once by 1,000 signals")
def storm(peer):
    return conditions(peer, {}, 1000)


def conditions(peer, words, count=1):
    answers = [peer.call("NotifyMany", "aa{sv}", [
        request(f"on{index}", on="signal org.example.Turns.Done", repeat=True, **words) for index in range(1000)])]
    if answers[0].error:
        return answers
    # Until it is subscribed to, the reason is said why nothing is known.
    while any("obstacle" in row for row in peer.call("Pending", "sa{sv}", APP, {}).values[0]):
        pass
    for index in range(count):
        peer.signal("org.example.Turns", "/", "Done", "s", str(index))
    return answers + clean(peer)


@play("2,000,000 ids")
def ids(peer):
    # A length, seven characters and a zero: no padding, which the bus would refuse behind the last.
    content = b"".join(struct.pack("<I", 7) + b"%07x\0" % index for index in range(2_000_000))
    return [peer.call("Cancel", "sas", APP, wire.Bytes(content))]


@play("100,000 ids")
def fewer_ids(peer):
    return [peer.call(member, "sas", APP, [f"{index:08x}" for index in range(100_000)])
            for member in ("Cancel", "Dismiss")]


def category(id, count, **words):
    names = [f"a{index}" for index in range(count)]
    return {"id": id, "actions": [attacks.button(name) for name in names], "default": names[::-1]} | words


@play("a category of 60,000 actions with a reversed default")
def refused_category(peer):
    return [peer.call("SetCategories", "saa{sv}", APP, [category("long", 60_000)])]


@play("a category as long as one may be, with a reversed default")
def long_category(peer):
    answers = [peer.call("SetCategories", "saa{sv}", APP, [category("long", 256)]),
               peer.call("Notify", "a{sv}", request("long", category="long"))]
    return answers + clean(peer)


@play("as many categories as an app may have, and one more")
def categories(peer):
    most = [category(f"c{index}", 1) for index in range(10_000)]
    return [peer.call("SetCategories", "saa{sv}", APP, most + [category("more", 1)]),
            peer.call("SetCategories", "saa{sv}", APP, most),
            peer.call("Categories", "s", APP), peer.call("SetCategories", "saa{sv}", APP, wire.Bytes(b""))]


def many(peer, **words):
    return [peer.call("NotifyMany", "aa{sv}", [request(index, **words) for index in range(MANY)])]


def clean(peer):
    return [peer.call("Cancel", "sas", APP, []), peer.call("Dismiss", "sas", APP, [])]


@play("20,000 requests, listed and cancelled")
def batch(peer):
    answers = many(peer, in_="2h", body="x" * 200)
    answers.append(peer.call("Pending", "sa{sv}", APP, {"limit": wire.Typed("u", 1000)}))
    answers.append(peer.call("Pending", "sa{sv}", APP, {"search": "nothing has this"}))
    return answers + clean(peer)


@play("20,000 requests with rules")
def rules(peer):
    return many(peer, rule="FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", zone="Europe/Paris") + clean(peer)


@play("2,000 rules that are searched for long")
def long_rules(peer):
    return [peer.call("NotifyMany", "aa{sv}", [
        request(index, rule="FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=MO;BYMONTH=2,12;BYSETPOS=1;INTERVAL=7") for index in range(2000)])
    ] + clean(peer)


@play("5,000 requests that are due at once, and leave the screen together")
def due(peer):
    peer.call("Watch", "b", True)
    answers = [peer.call("NotifyMany", "aa{sv}", [request(f"due{index}", in_="2s") for index in range(5000)])]
    for _ in range(5000):
        if not peer.hear("Delivered", lambda values: values[0] == APP, 60):
            raise SystemExit("not all were shown")
    answers.append(peer.call("History", "sa{sv}", APP, {"limit": wire.Typed("u", 1000)}))
    answers.append(peer.call("History", "sa{sv}", APP, {"search": "nothing has this"}))
    return answers + clean(peer)


@play("the longest request, its reply and its reason")
def longest(peer):
    text = "<b>&amp;é</b>" * 17_000
    return [peer.call("Notify", "a{sv}", request("long", body=text, actions=[
                attacks.button(f"a{index}", input={}) for index in range(100)])),
            peer.call("Respond", "sssa{sv}", APP, "long", "a1", {"reply": "é" * 32_000}),
            peer.call("Why", "ssu", APP, "long", 1000)] + clean(peer)


@play("a request of deep and wide values")
def deep(peer):
    value = "x"
    for _ in range(6):
        value = wire.Typed("av", [value])
    return [peer.call("Notify", "a{sv}", request("deep", userInfo={"a": value} | {f"k{index}": 1 for index in range(9000)}))]


class MeasuringPeer(Peer):
    """Checks each large message with libdbus, as the center must before it sees the message."""
    libdbus = ctypes.CDLL("libdbus-1.so.3")
    libdbus.dbus_message_demarshal.restype = ctypes.c_void_p
    libdbus.dbus_message_unref.argtypes = [ctypes.c_void_p]
    # The processor time of the longest check, in nanoseconds.
    longest = 0

    def encode(self, *words):
        head, body = super().encode(*words)
        if len(body) >= 1 << 20:
            data = bytes(head) + bytes(body)
            begun = time.thread_time_ns()
            message = self.libdbus.dbus_message_demarshal(data, len(data), None)
            self.longest = max(self.longest, time.thread_time_ns() - begun)
            if not message:
                raise SystemExit("libdbus refuses the message")
            self.libdbus.dbus_message_unref(message)
        return head, body


def main():
    print(*INPUTS, sep=";", flush=True)
    for line in sys.stdin:
        with MeasuringPeer(timeout=120) as peer:
            answers = INPUTS[line.strip()](peer)
            # Work in later turns: what is behind this call comes after them.
            for _ in range(3):
                peer.call("Next", "a{sv}u", {"title": "t", "every": "1h"}, 1)
        words = [(answer.error or "ok").split(".")[-1] for answer in answers]
        print(peer.longest, *dict.fromkeys(words), flush=True)


if __name__ == "__main__":
    main()
