#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A peer that is libdbus and nothing more: it prints its name, and answers pings."""
import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

bus = dbus.SessionBus(mainloop=DBusGMainLoop())
print(bus.get_unique_name(), flush=True)
GLib.MainLoop().run()
