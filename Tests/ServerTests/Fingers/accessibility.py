#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Reads and operates the screen over AT-SPI. Reads a command per line, prints JSON per line:

tree            the whole tree, as nested {number, role, name, box, showing, focused, checked, text, children}
next MS         waits for a change, at most MS milliseconds
hear N MS NAME  answers at once; then, when node N has a child whose name begins so, at most MS milliseconds later, with
                the moment in nanoseconds of CLOCK_MONOTONIC, or with null
act N [ACTION]  performs an action of node N of the last tree
type N TEXT     sets the text of node N
place N         the box of node N within its window, which is all that GTK 4 knows
select N I      selects child I of node N

It calls the bus directly, because libatspi 2.46 deadlocks if something changes during a query.
"""
import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib

ATSPI = "org.a11y.atspi."
ROOT = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
NAME = GLib.Variant("(ss)", ("org.a11y.atspi.Accessible", "Name"))
# A starting program may not answer yet; it then counts as missing.
LIMIT = 1000

# libatspi 2.54 renamed a role.
ROLES = {"button": "push button"}

nodes = []


def connect():
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    address = session.call_sync(
        "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, Gio.DBusCallFlags.NONE, -1
    ).unpack()[0]
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags)


def ask(node, interface, member, arguments=None):
    return bus.call_sync(*node, interface, member, arguments, None, Gio.DBusCallFlags.NONE, LIMIT).unpack()


def box(node):
    try:
        x, y, width, height = ask(node, ATSPI + "Component", "GetExtents", GLib.Variant("(u)", (0,)))[0]
    except GLib.Error:
        return None  # not every node has a position
    # Nodes that are not drawn have coordinates far outside the screen.
    return [x, y, width, height] if width > 0 and x > -10000 else None


def text(node):
    try:
        return ask(node, ATSPI + "Text", "GetText", GLib.Variant("(ii)", (0, -1)))[0]
    except GLib.Error:
        return None


def describe(node, depth=0):
    """Returns None if the node disappeared meanwhile."""
    try:
        role = Atspi.role_get_name(Atspi.Role(ask(node, ATSPI + "Accessible", "GetRole")[0]))
        states = ask(node, ATSPI + "Accessible", "GetState")[0]
        name = ask(node, "org.freedesktop.DBus.Properties", "Get", NAME)[0]
        children = ask(node, ATSPI + "Accessible", "GetChildren")[0] if depth < 30 else []
    except GLib.Error:
        return None
    number = len(nodes)
    nodes.append(node)
    below = [describe(tuple(child), depth + 1) for child in children]
    return {
        "number": number,
        "role": ROLES.get(role, role),
        "name": name,
        "box": box(node),
        "text": text(node) if role == "text" else None,
        "showing": bool(states[0] >> int(Atspi.StateType.SHOWING) & 1),
        "focused": bool(states[0] >> int(Atspi.StateType.FOCUSED) & 1),
        "checked": bool(states[0] >> int(Atspi.StateType.CHECKED) & 1),
        "children": [child for child in below if child],
    }


def tree():
    nodes.clear()
    return describe(ROOT)


def wait(milliseconds):
    loop = GLib.MainLoop()
    heard = []

    def changed(_bus, _sender, _path, _interface, member, _arguments):
        heard.append(member)
        loop.quit()

    rule = bus.signal_subscribe(
        None, "org.a11y.atspi.Event.Object", None, None, None, Gio.DBusSignalFlags.NONE, changed
    )
    timeout = GLib.timeout_add(milliseconds, loop.quit)
    loop.run()
    bus.signal_unsubscribe(rule)
    if heard:
        GLib.source_remove(timeout)
    return heard


def hear(number, milliseconds, wanted):
    """Asks again and again, because GTK 4.8 reports no new children of a list."""
    end = time.monotonic() + milliseconds / 1000
    print("true", flush=True)
    while time.monotonic() < end:
        try:
            for child in ask(nodes[number], ATSPI + "Accessible", "GetChildren")[0]:
                name = ask(tuple(child), "org.freedesktop.DBus.Properties", "Get", NAME)[0]
                if name.startswith(wanted):
                    return time.monotonic_ns()
        except GLib.Error:
            pass  # a child has gone meanwhile
    return None


def act(number, wanted=None):
    node, index = nodes[number], 0
    if wanted:
        # The list of action names is translated.
        while ask(node, ATSPI + "Action", "GetName", GLib.Variant("(i)", (index,)))[0] not in (wanted, ""):
            index += 1
    return ask(node, ATSPI + "Action", "DoAction", GLib.Variant("(i)", (index,)))[0]


def put(number, text):
    return ask(nodes[number], ATSPI + "EditableText", "SetTextContents", GLib.Variant("(s)", (text,)))[0]


def select(number, index):
    return ask(nodes[number], ATSPI + "Selection", "SelectChild", GLib.Variant("(i)", (index,)))[0]


def place(number):
    return list(ask(nodes[number], ATSPI + "Component", "GetExtents", GLib.Variant("(u)", (1,)))[0])


def answer(words):
    if words[0] == "place":
        return place(int(words[1]))
    if words[0] == "tree":
        return tree()
    if words[0] == "next":
        return wait(int(words[1]))
    if words[0] == "hear":
        milliseconds, name = words[2].split(" ", 1)
        return hear(int(words[1]), int(milliseconds), name)
    if words[0] == "act":
        return act(int(words[1]), *words[2:])
    if words[0] == "select":
        return select(int(words[1]), int(words[2]))
    return put(int(words[1]), words[2])


bus = connect()
# Programs send only events that a client registered for.
for kind in ["object:children-changed", "object:state-changed:showing"]:
    ask((ROOT[0], "/org/a11y/atspi/registry"), ATSPI + "Registry", "RegisterEvent", GLib.Variant("(sass)", (kind, [], "")))
for line in sys.stdin:
    try:
        reply = answer(line.rstrip("\n").split(" ", 2))
    except (GLib.Error, TypeError, ValueError, IndexError) as error:
        reply = {"error": str(error)}
    print(json.dumps(reply), flush=True)
