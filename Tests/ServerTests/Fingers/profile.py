#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates a notification server that cannot run here: profile.py JSON.

It also exports an interface to read what is drawn and to press it.
"""
import json
import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
SERVER = """<node><interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation">
<arg type="s" direction="out"/><arg type="s" direction="out"/>
<arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
</interface></node>"""
FINGER = """<node><interface name="org.freedesktop.Notifications.Finger">
<method name="Popups"><arg type="s" direction="out"/></method>
<method name="Press"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
<method name="Open"><arg type="s" direction="in"/></method>
<method name="Dismiss"><arg type="s" direction="in"/></method>
</interface></node>"""

EXPIRED, DISMISSED, CLOSED = 1, 2, 3
profile = json.loads(sys.argv[1])
# Drawn and merely listed notifications by number, in order of arrival.
drawn, kept = {}, {}
last = 0
bus = Gio.bus_get_sync(Gio.BusType.SESSION)


class Notification:
    def __init__(self, number, arguments):
        self.number = number
        _, _, _, self.title, self.body, actions, self.hints, self.time = arguments
        pairs = list(zip(actions[::2], actions[1::2]))
        self.keys = dict(pairs)
        most = profile.get("buttons")
        seen = [(key, label) for key, label in pairs if key != "default"]
        self.buttons = seen if most is None else seen[:most]
        self.timer = None

    def tell(self, member, kind, *values):
        bus.emit_signal(None, PATH, NAME, member, GLib.Variant(kind, (self.number,) + values))

    def start(self):
        self.stop()
        time = self.time
        if time < 0:
            time = profile["usualTime"]
        if time == 0:
            return
        self.timer = GLib.timeout_add(time, self.expire)

    def stop(self):
        if self.timer:
            GLib.source_remove(self.timer)
        self.timer = None

    def expire(self):
        self.timer = None
        drawn.pop(self.number, None)
        if profile.get("tellsOfExpiry", True):
            self.tell("NotificationClosed", "(uu)", EXPIRED)
        if profile.get("keeps") and not self.hints.get("transient"):
            kept[self.number] = self
        return GLib.SOURCE_REMOVE

    def end(self, reason):
        self.stop()
        drawn.pop(self.number, None)
        kept.pop(self.number, None)
        self.tell("NotificationClosed", "(uu)", reason)

    def invoke(self, key):
        if profile.get("token"):
            self.tell("ActivationToken", "(us)", "token_TIME1")
        self.tell("ActionInvoked", "(us)", key)
        self.end(DISMISSED)


def notify(arguments):
    global last
    replaced = arguments[1]
    known = replaced in drawn or replaced in kept
    if replaced and (known or profile.get("believesNumbers")):
        number = replaced
        if number in drawn:
            drawn[number].stop()
    else:
        last += 1
        number = last
    notification = Notification(number, arguments)
    kept.pop(number, None)
    drawn[number] = notification
    notification.start()
    return number


def find(title):
    for notification in reversed(list(drawn.values()) + list(kept.values())):
        if notification.title == title:
            return notification
    raise ValueError(title)


def call_server(_bus, _sender, _path, _interface, member, parameters, invocation):
    arguments = parameters.unpack()
    if member == "GetCapabilities":
        return invocation.return_value(GLib.Variant("(as)", (profile["capabilities"],)))
    if member == "GetServerInformation":
        return invocation.return_value(GLib.Variant("(ssss)", (profile["name"], "profile", "1", "1.2")))
    if member == "Notify":
        return invocation.return_value(GLib.Variant("(u)", (notify(arguments),)))
    notification = drawn.get(arguments[0]) or kept.get(arguments[0])
    if notification:
        notification.end(CLOSED)
    return invocation.return_value(None)


def popups():
    return json.dumps(
        [
            {"title": one.title, "body": one.body, "buttons": [label for _, label in one.buttons]}
            for one in drawn.values()
        ]
    )


def call_finger(_bus, _sender, _path, _interface, member, parameters, invocation):
    arguments = parameters.unpack()
    try:
        if member == "Popups":
            return invocation.return_value(GLib.Variant("(s)", (popups(),)))
        notification = find(arguments[0])
        if member == "Press":
            notification.invoke(next(key for key, label in notification.buttons if label == arguments[1]))
        elif member == "Open" and "default" in notification.keys:
            notification.invoke("default")
        else:
            notification.end(DISMISSED)
        return invocation.return_value(None)
    except (ValueError, StopIteration) as error:
        return invocation.return_dbus_error("org.freedesktop.DBus.Error.Failed", repr(error))


for xml, path, call in [(SERVER, PATH, call_server), (FINGER, PATH + "/Finger", call_finger)]:
    interface = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
    bus.register_object(path, interface, call, None, None)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
