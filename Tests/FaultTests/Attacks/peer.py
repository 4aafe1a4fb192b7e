# SPDX-License-Identifier: Apache-2.0
"""One connection to the bus, as impolite as an attack wants it."""
import array
import os
import socket
import struct
import time

import wire

CENTER = ("dev.suzu.Center", "/dev/suzu/Center", "dev.suzu.Center1")
CALL, REPLY, ERROR, SIGNAL = 1, 2, 3, 4
# How long an answer is waited for: what is not answered by then is a finding.
TIMEOUT = 60


class Unanswered(Exception):
    pass


class Message:
    def __init__(self, kind, serial, fields, body):
        self.kind, self.serial, self.fields, self.body = kind, serial, fields, body

    @property
    def error(self):
        return self.fields.get(4) if self.kind == ERROR else None

    @property
    def member(self):
        return self.fields.get(3)

    @property
    def values(self):
        return wire.unmarshal(self.fields.get(8, ""), self.body)


class Peer:
    # What no answer may hold, as bytes, and what was found in one all the same.
    secrets = []
    leaks = []
    # Calls of the center, and calls of those that it refused.
    calls = 0
    refusals = 0
    errors = set()

    def __init__(self, hello=True, timeout=None):
        self.timeout = timeout or TIMEOUT
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(self.timeout)
        path = os.environ["DBUS_SESSION_BUS_ADDRESS"].split("unix:path=")[1].split(",")[0]
        self.socket.connect(path)
        self.serial = 0
        self.data = bytearray()
        self.answers = {}
        # The members of calls, by their serials.
        self.members = {}
        self.signals = []
        # Calls of this peer, which are left without an answer where an attack does not give one.
        self.incoming = []
        if hello:
            self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
            self.line()
            self.socket.sendall(b"NEGOTIATE_UNIX_FD\r\n")
            self.line()
            self.socket.sendall(b"BEGIN\r\n")
            bus = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
            self.name = self.wait(self.send("Hello", to=bus)).values[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def line(self):
        text = b""
        while not text.endswith(b"\r\n"):
            byte = self.socket.recv(1)
            if not byte:
                raise ConnectionError("the bus closed the connection")
            text += byte
        return text

    def encode(self, kind, signature, values, fields, flags, descriptors):
        """The head and the body of a message with the next serial."""
        self.serial += 1
        body = wire.marshal(signature, values)
        if signature:
            fields = fields + [(8, wire.Typed("g", signature))]
        if descriptors:
            fields = fields + [(9, wire.Typed("u", len(descriptors)))]
        head = wire.marshal("yyyyuua(yv)", [ord("l"), kind, flags, 1, len(body), self.serial, fields])
        wire.pad(head, 8)
        return head, body

    def post(self, kind, signature, values, fields, flags=0, descriptors=()):
        """Sends a message and returns its serial."""
        head, body = self.encode(kind, signature, values, fields, flags, descriptors)
        if descriptors:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
            sent = self.socket.sendmsg([bytes(head)], rights)
            self.socket.sendall(bytes(head)[sent:])
        else:
            self.socket.sendall(head)
        if body:
            self.socket.sendall(body)
        return self.serial

    def send(self, member, signature="", *values, to=CENTER, descriptors=()):
        fields = [(1, wire.Typed("o", to[1])), (2, wire.Typed("s", to[2])), (3, wire.Typed("s", member)),
                  (6, wire.Typed("s", to[0]))]
        Peer.calls += to == CENTER
        serial = self.post(CALL, signature, values, fields, descriptors=descriptors)
        self.members[serial] = member
        return serial

    def signal(self, interface, path, member, signature, *values, to=None):
        fields = [(1, wire.Typed("o", path)), (2, wire.Typed("s", interface)), (3, wire.Typed("s", member))]
        if to:
            fields.append((6, wire.Typed("s", to)))
        self.post(SIGNAL, signature, values, fields, flags=1)

    def fill(self, size, end):
        while len(self.data) < size:
            left = end - time.monotonic()
            if left <= 0:
                raise Unanswered
            self.socket.settimeout(left)
            try:
                more = self.socket.recv(1 << 20)
            except TimeoutError:
                raise Unanswered from None
            finally:
                self.socket.settimeout(self.timeout)
            if not more:
                raise ConnectionError("the bus closed the connection")
            self.data += more

    def receive(self, limit):
        """The next message."""
        end = time.monotonic() + limit
        self.fill(16, end)
        _, kind, _, _, length, serial, fields = struct.unpack_from("<BBBBIII", self.data)
        start = 16 + fields + -fields % 8
        self.fill(start + length, end)
        data = bytes(self.data[:start + length])
        del self.data[:start + length]
        for secret in Peer.secrets:
            if secret in data:
                Peer.leaks.append(secret.decode())
        return Message(kind, serial, dict(wire.unmarshal("yyyyuua(yv)", data[:16 + fields])[6]), data[start:])

    def wait(self, serial, limit=None):
        """The answer to a call."""
        end = time.monotonic() + (limit or self.timeout)
        try:
            while serial not in self.answers:
                self.sort(self.receive(end - time.monotonic()))
        except Unanswered:
            raise Unanswered(f"call {serial}, '{self.members[serial]}', was not answered") from None
        answer = self.answers.pop(serial)
        if answer.kind == ERROR:
            Peer.refusals += 1
            Peer.errors.add(answer.error + ": " + "".join(str(value) for value in answer.values)[:160])
        return answer

    def sort(self, message):
        if message.kind in (REPLY, ERROR):
            self.answers[message.fields[5]] = message
        elif message.kind == SIGNAL:
            self.signals.append(message)
        else:
            self.incoming.append(message)

    def wait_all(self, serials):
        return [self.wait(serial) for serial in serials]

    def call(self, member, signature="", *values):
        return self.wait(self.send(member, signature, *values))

    def hear(self, member, fits, limit):
        """The next signal that fits; None where none comes in time."""
        end = time.monotonic() + limit
        while True:
            while self.signals:
                message = self.signals.pop(0)
                if message.member == member and fits(message.values):
                    return message
            try:
                self.sort(self.receive(end - time.monotonic()))
            except Unanswered:
                return None

    def asked(self, limit):
        """The next call of this peer; None where none comes in time."""
        end = time.monotonic() + limit
        while not self.incoming:
            try:
                self.sort(self.receive(end - time.monotonic()))
            except Unanswered:
                return None
        return self.incoming.pop(0)

    def answer(self, call, signature, *values):
        fields = [(5, wire.Typed("u", call.serial)), (6, wire.Typed("s", call.fields[7]))]
        self.post(REPLY, signature, values, fields, flags=1)

    def stay(self, seconds):
        """Stays on the bus, and answers nothing."""
        self.hear("", lambda _: False, seconds)
