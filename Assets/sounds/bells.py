#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the two sounds beside it, out of nothing but sines: bells.py FOLDER (then `sox X.wav -t ogg -C 3 X.oga`).

A small bell has partials that are no multiples of each other, and the higher they are the sooner they die away.
"""
import math
import struct
import sys
import wave

RATE = 44_100
# Of a bell: how high above the strike note, how loud, and after how many seconds it is down to a third.
PARTIALS = [(0.5, 0.25, 0.5), (1.0, 1.0, 0.42), (1.19, 0.45, 0.33), (1.56, 0.3, 0.25), (2.0, 0.5, 0.22),
            (2.66, 0.25, 0.14), (3.76, 0.18, 0.09), (5.4, 0.1, 0.05)]


def strike(samples, at, pitch, loudness):
    """Adds one stroke of a bell."""
    start = int(at * RATE)
    for index in range(start, len(samples)):
        seconds = (index - start) / RATE
        rise = min(1.0, seconds / 0.002)
        samples[index] += loudness * rise * sum(
            level * math.exp(-seconds / decay) * math.sin(2 * math.pi * pitch * ratio * seconds)
            for ratio, level, decay in PARTIALS)


def write(path, seconds, strokes):
    samples = [0.0] * int(seconds * RATE)
    for at, pitch, loudness in strokes:
        strike(samples, at, pitch, loudness)
    loudest = max(abs(sample) for sample in samples)
    fade = int(0.1 * RATE)
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, RATE, len(samples), "NONE", ""))
        for index, sample in enumerate(samples):
            end = min(1.0, (len(samples) - index) / fade)
            file.writeframesraw(struct.pack("<h", int(22_000 * end * sample / loudest)))


folder = sys.argv[1]
write(f"{folder}/suzu-bell.wav", 1.4, [(0.0, 1318.5, 1.0)])
write(f"{folder}/suzu-alarm.wav", 3.2,
      [(0.0, 1046.5, 0.9), (0.22, 1318.5, 0.9), (0.44, 1568.0, 1.0), (1.4, 1046.5, 0.9), (1.62, 1318.5, 0.9),
       (1.84, 1568.0, 1.0)])
