#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The screen as a program for the blind sees it. A line of commands comes in, a line of JSON goes out:

tree            all that is there, as nested {number, role, name, box, showing, children}
next MS         when something changes, or after so many milliseconds
act N [ACTION]  does what node N of the last tree does when it is pressed
type N TEXT     puts TEXT into it
"""
import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

nodes = []


def box(node):
    extents = Atspi.Component.get_extents(node, Atspi.CoordType.SCREEN)
    # What is not drawn is at the end of the world.
    if extents.width <= 0 or extents.x < -10000:
        return None
    return [extents.x, extents.y, extents.width, extents.height]


def describe(node, depth=0):
    """None where it went away while it was looked at."""
    try:
        number = len(nodes)
        nodes.append(node)
        found = {
            "number": number,
            "role": Atspi.Accessible.get_role_name(node),
            "name": Atspi.Accessible.get_name(node) or "",
            "box": None,
            "showing": Atspi.Accessible.get_state_set(node).contains(Atspi.StateType.SHOWING),
            "children": [],
        }
        count = Atspi.Accessible.get_child_count(node) if depth < 30 else 0
        try:
            found["box"] = box(node)
        except GLib.Error:
            pass  # an application has no place
        for index in range(count):
            child = Atspi.Accessible.get_child_at_index(node, index)
            below = describe(child, depth + 1) if child else None
            if below:
                found["children"].append(below)
        return found
    except GLib.Error:
        return None


def tree():
    nodes.clear()
    desktop = Atspi.get_desktop(0)
    for index in range(Atspi.Accessible.get_child_count(desktop)):
        program = Atspi.Accessible.get_child_at_index(desktop, index)
        if program:
            # Servers change their labels and do not always say so.
            Atspi.Accessible.clear_cache(program)
    return describe(desktop)


def wait(milliseconds):
    loop = GLib.MainLoop()
    heard = []

    def changed(event):
        heard.append(event.type)
        loop.quit()

    listener = Atspi.EventListener.new(changed)
    kinds = ["window:create", "window:destroy", "object:children-changed", "object:state-changed:showing"]
    for kind in kinds:
        listener.register(kind)
    timeout = GLib.timeout_add(milliseconds, loop.quit)
    loop.run()
    if heard:
        GLib.source_remove(timeout)
    for kind in kinds:
        listener.deregister(kind)
    return heard


def act(number, wanted=None):
    node = nodes[number]
    if wanted == "activate":
        # A row is activated by a second click on it: the first one has taken it.
        Atspi.Component.grab_focus(node)
    names = [Atspi.Action.get_action_name(node, index) for index in range(Atspi.Action.get_n_actions(node))]
    return Atspi.Action.do_action(node, names.index(wanted) if wanted else 0)


def put(number, text):
    return Atspi.EditableText.set_text_contents(nodes[number], text)


def answer(words):
    if words[0] == "tree":
        return tree()
    if words[0] == "next":
        return wait(int(words[1]))
    if words[0] == "act":
        return act(int(words[1]), *words[2:])
    return put(int(words[1]), words[2])


Atspi.init()
for line in sys.stdin:
    try:
        reply = answer(line.rstrip("\n").split(" ", 2))
    except (GLib.Error, TypeError, ValueError, IndexError) as error:
        reply = {"error": str(error)}
    print(json.dumps(reply), flush=True)
