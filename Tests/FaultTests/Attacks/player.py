#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Plays attacks. A line of JSON comes in, a line goes out for each:

{"play": NAME, "number": N, "seed": S}   plays it once
{"send": LOAD, "to": PEER}               sends a load to a peer that is not the center
{"tidy": true}                           takes back what is pending or on the screen
{"questions": true}                      waits for the answers to all that registered

Arguments: `user` or `box`, the app of the box, a folder, the seconds that an answer is waited for, and the texts that no answer
may hold. The first line lists the attacks.
"""
import json
import os
import random
import sys
import time

import attacks
import peer
from peer import Peer, Unanswered

# What is measured is the center, not how a machine with few processors shares them.
os.nice(19)
caller, app, folder = sys.argv[1:4]
peer.TIMEOUT = int(sys.argv[4])
Peer.secrets = [text.encode() for text in sys.argv[5:]]
known = {attack.name: attack for attack in attacks.ATTACKS}


def play(words):
    round = attacks.Round(words["number"], caller, app, random.Random(words["seed"]), folder)
    Peer.leaks, Peer.calls, Peer.refusals, Peer.errors = [], 0, 0, set()
    start, why = time.monotonic(), None
    try:
        known[words["play"]].play(round)
    except Unanswered as error:
        why = f"unanswered: {error}"
    except OSError as error:
        why = f"{type(error).__name__}: {error}"
    return {
        "seconds": time.monotonic() - start, "calls": Peer.calls, "refusals": Peer.refusals, "broken": why, "errors": sorted(Peer.errors)[:9],
        "leaks": sorted(set(Peer.leaks)), "faults": round.faults, "wanted": round.wanted, "unwanted": round.unwanted,
        "replaced": round.replaced, "load": round.load}


def obey(words):
    if "play" in words:
        return play(words)
    faults = []
    try:
        if "send" in words:
            attacks.LOADS[words["send"]](words["to"])
        elif "questions" in words:
            faults = attacks.unanswered_questions()
        else:
            attacks.tidy(app)
    except (Unanswered, OSError) as error:
        faults.append(f"tidying: {type(error).__name__} {error}")
    return {"faults": faults}


def say(value):
    print(json.dumps(value), flush=True)


say([{"name": attack.name, "callers": attack.callers} for attack in attacks.ATTACKS])
for line in sys.stdin:
    say(obey(json.loads(line)))
