// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The services of a machine, all of which refuse every call, or answer none, and count what they are asked.
struct ObstinateServices {
  /// What they do with a call.
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case refuse, hang
    var testDescription: String { rawValue }
  }

  static let names = [
    "org.freedesktop.NetworkManager", "org.freedesktop.UPower", "org.freedesktop.login1", "org.freedesktop.systemd1",
    "org.bluez", "org.freedesktop.GeoClue2",
  ]

  private let program: RunningProgram

  init(_ way: Way, in session: Session) throws {
    program = try RunningProgram(
      "/usr/bin/python3", ["-c", Self.source, way.rawValue] + Self.names, environment: session.environment)
    guard program.readLine() == "ready" else { throw TestFailure("the services do not start: \(program.errors)") }
  }

  /// How often a service was asked.
  func calls(of name: String) throws -> Int {
    program.say(name)
    guard let count = program.readLine().flatMap({ Int($0) }) else {
      throw TestFailure("no count: \(program.errors)")
    }
    return count
  }

  func end() { program.kill() }

  private static let source = """
    import os, sys, dbus, dbus.bus, dbus.lowlevel, dbus.mainloop.glib
    from gi.repository import GLib
    way, names = sys.argv[1], sys.argv[2:]
    main = dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    counts = dict.fromkeys(names, 0)
    connections = []

    def add(name):
        def take(connection, message):
            if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
                return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
            counts[name] += 1
            if way == "refuse":
                connection.send_message(dbus.lowlevel.ErrorMessage(
                    message, "org.freedesktop.DBus.Error.AccessDenied", "not for you"))
            return dbus.lowlevel.HANDLER_RESULT_HANDLED
        connection = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"], mainloop=main)
        connection.add_message_filter(take)
        connection.request_name(name)
        connections.append(connection)

    for name in names:
        add(name)

    def hear(channel, condition):
        line = sys.stdin.readline().strip()
        if not line:
            sys.exit()
        print(counts[line], flush=True)
        return True

    GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, hear)
    print("ready", flush=True)
    GLib.MainLoop().run()
    """
}
