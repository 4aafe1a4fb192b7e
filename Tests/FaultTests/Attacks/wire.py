# SPDX-License-Identifier: Apache-2.0
"""D-Bus values as bytes, little-endian, built by hand: a library would refuse to send most of what an attack is made of."""
import struct

ALIGNMENTS = {"y": 1, "g": 1, "v": 1, "n": 2, "q": 2, "b": 4, "i": 4, "u": 4, "h": 4, "s": 4, "o": 4, "a": 4,
              "x": 8, "t": 8, "d": 8, "(": 8, "{": 8}
NUMBERS = {"y": "B", "n": "h", "q": "H", "b": "I", "i": "i", "u": "I", "h": "I", "x": "q", "t": "Q", "d": "d"}


class Bytes:
    """The content of an array, as bytes: those behind its length, where a multiple of eight and four begins."""

    def __init__(self, content):
        self.content = content


class Typed:
    """A variant of a given signature."""

    def __init__(self, signature, value):
        self.signature, self.value = signature, value


def end_of(signature, start):
    """Where the complete type at `start` ends."""
    if signature[start] == "a":
        return end_of(signature, start + 1)
    if signature[start] in "({":
        depth = 0
        for place in range(start, len(signature)):
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(signature[place], 0)
            if depth == 0:
                return place + 1
    return start + 1


def types(signature):
    place = 0
    while place < len(signature):
        end = end_of(signature, place)
        yield signature[place:end]
        place = end


def pad(out, alignment):
    out.extend(bytes(-len(out) % alignment))


def signature_of(value):
    if isinstance(value, Typed):
        return value.signature
    if isinstance(value, bool):
        return "b"
    if isinstance(value, int):
        return "x"
    if isinstance(value, dict):
        return "a{sv}"
    if isinstance(value, list):
        return "aa{sv}" if value and isinstance(value[0], dict) else "as"
    return "s"


def put(out, kind, value):
    first = kind[0]
    pad(out, ALIGNMENTS[first])
    if first in NUMBERS:
        out += struct.pack("<" + NUMBERS[first], value)
    elif first in "so":
        text = value if isinstance(value, bytes) else value.encode()
        out += struct.pack("<I", len(text)) + text + b"\0"
    elif first == "g":
        out += bytes([len(value)]) + value.encode() + b"\0"
    elif first == "v":
        inner = signature_of(value)
        put(out, "g", inner)
        put(out, inner, value.value if isinstance(value, Typed) else value)
    elif first in "({":
        for part, element in zip(types(kind[1:-1]), value):
            put(out, part, element)
    else:
        place = len(out)
        out += bytes(4)
        pad(out, ALIGNMENTS[kind[1]])
        start = len(out)
        if isinstance(value, Bytes):
            out += value.content
        else:
            for element in value.items() if isinstance(value, dict) else value:
                put(out, kind[1:], element)
        struct.pack_into("<I", out, place, len(out) - start)


def marshal(signature, values):
    out = bytearray()
    for kind, value in zip(types(signature), values, strict=True):
        put(out, kind, value)
    return out


def take(data, place, kind):
    """The value of a type, and where it ends."""
    first = kind[0]
    place += -place % ALIGNMENTS[first]
    if first in NUMBERS:
        form = "<" + NUMBERS[first]
        return struct.unpack_from(form, data, place)[0], place + struct.calcsize(form)
    if first in "so":
        start, length = place + 4, struct.unpack_from("<I", data, place)[0]
        return bytes(data[start:start + length]).decode(errors="replace"), start + length + 1
    if first == "g":
        return bytes(data[place + 1:place + 1 + data[place]]).decode(), place + 2 + data[place]
    if first == "v":
        inner, place = take(data, place, "g")
        return take(data, place, inner)
    if first in "({":
        elements = []
        for part in types(kind[1:-1]):
            element, place = take(data, place, part)
            elements.append(element)
        return tuple(elements), place
    length = struct.unpack_from("<I", data, place)[0]
    place += 4
    place += -place % ALIGNMENTS[kind[1]]
    end, elements = place + length, []
    while place < end:
        element, place = take(data, place, kind[1:])
        elements.append(element)
    return dict(elements) if kind[1] == "{" else elements, end


def unmarshal(signature, data):
    place, values = 0, []
    for kind in types(signature):
        value, place = take(data, place, kind)
        values.append(value)
    return values
