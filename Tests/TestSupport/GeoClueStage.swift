// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import TestStage

/// The real GeoClue on a private bus, with settings of its own, a scripted receiver, and a program that answers for the
/// user.
package final class GeoClueStage {
  private static let program = "/usr/libexec/geoclue"
  /// Whether it is installed, and can see another `/etc/geoclue` than the machine's.
  package static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: program) && Bubblewrap.isPossible }

  private let bus: PrivateBus
  private let receiver: RunningProgram
  private var service: RunningProgram?
  private var agent: RunningProgram?

  package init(_ bus: PrivateBus) throws {
    self.bus = bus
    try bus.folder.write(
      """
      [agent]
      whitelist=test-agent
      [network-nmea]
      enable=true
      nmea-socket=\(bus.folder.path("nmea"))
      [3g]
      enable=false
      [cdma]
      enable=false
      [modem-gps]
      enable=false
      [wifi]
      enable=false
      [compass]
      enable=false
      [dev.suzu.Suzu]
      allowed=true
      system=true
      users=
      """, to: "geoclue/geoclue.conf")
    receiver = try RunningProgram(
      "/usr/bin/python3", ["-c", Self.receiver, bus.folder.path("nmea")], environment: bus.environment)
    guard receiver.readLine() == "ready" else { throw TestFailure("no receiver: \(receiver.errors)") }
  }

  /// Starts GeoClue.
  package func start() throws {
    var environment = bus.environment
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    service = try RunningProgram(
      "bwrap",
      [
        "--dev-bind", "/", "/", "--ro-bind", bus.folder.path("geoclue"), "/etc/geoclue", "--die-with-parent",
        Self.program,
      ], environment: environment)
  }

  /// Kills GeoClue.
  package func end() {
    service?.kill()
    service = nil
  }

  /// Starts a program that allows everything.
  package func allow() throws {
    var environment = bus.environment
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    let agent = try RunningProgram("/usr/bin/python3", ["-c", Self.agent], environment: environment)
    guard agent.readLine() == "ready" else { throw TestFailure("no agent: \(agent.errors)") }
    self.agent = agent
  }

  /// Moves the machine. GeoClue's accuracy follows from `hdop`: 0 m up to 1, 50 m from 5, 300 m from 20.
  package func move(to latitude: Double, _ longitude: Double, hdop: Double = 0.9) {
    receiver.write("\(latitude) \(longitude) \(hdop)\n")
  }

  /// A satellite receiver that other programs can connect to: sends each position from its input as an NMEA sentence.
  private static let receiver = """
    import socket, sys, threading, time
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1])
    server.listen(5)
    clients, last = [], [None]
    lock = threading.Lock()
    def accept():
        while True:
            client, _ = server.accept()
            with lock:
                clients.append(client)
                if last[0]: client.sendall(last[0])
    threading.Thread(target=accept, daemon=True).start()
    def degrees(value, width):
        whole = int(value)
        return f"{whole:0{width}d}{(value - whole) * 60:09.6f}"
    print("ready", flush=True)
    for line in sys.stdin:
        latitude, longitude, hdop = map(float, line.split())
        now = time.strftime("%H%M%S", time.gmtime())
        body = f"GPGGA,{now},{degrees(latitude, 2)},N,{degrees(longitude, 3)},E,1,08,{hdop},34.0,M,47.0,M,,"
        check = 0
        for letter in body: check ^= ord(letter)
        last[0] = f"${body}*{check:02X}\\r\\n".encode()
        with lock:
            for client in list(clients):
                try: client.sendall(last[0])
                except OSError: clients.remove(client)
    """

  /// GeoClue asks such a program whether an app may know the position.
  private static let agent = """
    import os
    from gi.repository import Gio, GLib
    bus = Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    description = Gio.DBusNodeInfo.new_for_xml('''<node><interface name="org.freedesktop.GeoClue2.Agent">
      <method name="AuthorizeApp"><arg type="s" direction="in"/><arg type="u" direction="in"/>
        <arg type="b" direction="out"/><arg type="u" direction="out"/></method>
      <property name="MaxAccuracyLevel" type="u" access="read"/></interface></node>''')
    def call(bus, sender, path, interface, name, arguments, invocation):
        invocation.return_value(GLib.Variant("(bu)", (True, arguments.unpack()[1])))
    bus.register_object("/org/freedesktop/GeoClue2/Agent", description.interfaces[0], call, lambda *_: GLib.Variant("u", 8))
    # GeoClue asks for the property before it answers, so that nothing may wait for the answer.
    def added(bus, result):
        bus.call_finish(result)
        print("ready", flush=True)
    bus.call("org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager", "org.freedesktop.GeoClue2.Manager",
        "AddAgent", GLib.Variant("(s)", ("test-agent",)), None, Gio.DBusCallFlags.NONE, 10000, None, added)
    GLib.MainLoop().run()
    """
}
