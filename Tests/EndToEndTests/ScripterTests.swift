// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests the center with other bindings: GLib's (`gdbus`), systemd's (`busctl`) and the reference one (`dbus-send`);
/// and our notification server with libnotify's `notify-send`.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct ScripterTests {
  private static let center = ["dev.suzu.Center", "/dev/suzu/Center"]

  @Test func `gdbus calls methods, reads properties and gets named errors`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    func call(_ method: String, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run(
        "gdbus", ["call", "--session", "-d", Self.center[0], "-o", Self.center[1], "-m", method] + arguments,
        environment: session.environment)
    }
    let sent = try call(
      "dev.suzu.Center1.Notify",
      "{'id': <'g'>, 'title': <'From GLib'>, 'progress': <7>, 'actions': <[{'id': <'a'>, 'title': <'A & B'>}]>, 'userInfo': <{'k': <@as ['x']>}>}"
    )
    #expect(sent.output == "('g',)\n", "\(sent.errors)")
    #expect(
      popups.readLines(until: "from")
        == ["#1 From GLib", "    7%", "    [1] A & B  [open] Close", "    from Suzu"])
    let refused = try call("dev.suzu.Center1.Notify", "{'titel': <'x'>}")
    #expect(refused.status != 0)
    #expect(refused.errors.contains("dev.suzu.Error.InvalidRequest: 'titel' is not a known key; did you mean 'title'?"))
    #expect(
      try call("dev.suzu.Center1.Respond", "dev.suzu.Suzu", "g", "nope", "{}").errors.contains(
        "dev.suzu.Error.NotFound"))
    #expect(try call("dev.suzu.Center1.Respond", "dev.suzu.Suzu", "g", "a", "{}").output == "()\n")
    #expect(popups.readLines(until: "#1 closed: withdrawn") != nil)
    #expect(
      try call("org.freedesktop.DBus.Properties.Get", "dev.suzu.Center1", "PendingCount").output == "(<uint32 0>,)\n")
    let all = try call("org.freedesktop.DBus.Properties.GetAll", "dev.suzu.Center1")
    #expect(all.output.contains("'Server': <'suzu popups 0.1.0'>") && all.output.contains("'Version': <'0.1.0'>"))
    #expect(
      try call("org.freedesktop.DBus.Properties.Set", "dev.suzu.Center1", "Version", "<'9'>").errors
        .contains("org.freedesktop.DBus.Error.PropertyReadOnly"))
    #expect(
      try call("org.freedesktop.DBus.Properties.Get", "dev.suzu.Center1", "Nope").errors
        .contains("org.freedesktop.DBus.Error.UnknownProperty"))
    #expect(try call("dev.suzu.Center1.Nope").errors.contains("org.freedesktop.DBus.Error.UnknownMethod"))
    #expect(try call("org.freedesktop.DBus.Peer.Ping").output == "()\n")
    let tree = try session.run("gdbus", "introspect", "--session", "-d", Self.center[0], "-o", "/", "--recurse")
    #expect(tree.output.contains("interface dev.suzu.Center1"), "\(tree.errors)")
  }

  @Test func `busctl introspects, calls with a{sv}, and reads the properties`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    func busctl(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run(
        "busctl", ["--address=\(session.bus.address)"] + arguments, environment: session.environment)
    }
    let sent = try busctl(
      "call", Self.center[0], Self.center[1], "dev.suzu.Center1", "Notify", "a{sv}", "3", "title", "s", "From systemd",
      "id",
      "s", "b", "style", "s", "alert")
    #expect(sent.output == "s \"b\"\n", "\(sent.errors)")
    #expect(popups.readLine() == "#1 From systemd")
    let table = try busctl("introspect", Self.center[0], Self.center[1], "dev.suzu.Center1").output
    for row in [
      #"\.Notify +method +a\{sv\} +s"#, #"\.Respond +method +sssa\{sv\} +- "#,
      #"\.Server +property +s +"suzu popups 0\.1\.0" +emits-change"#,
      #"\.Version +property +s +"0\.1\.0" +const"#, #"\.Responded +signal +tsssa\{sv\}"#,
    ] {
      #expect(table.contains(try Regex(row)), "\(row) is not in \(table)")
    }
    #expect(
      try session.run("busctl", "--user", "get-property", Self.center[0], Self.center[1], "dev.suzu.Center1", "Server")
        .output
        == "s \"suzu popups 0.1.0\"\n")
    let refused = try busctl(
      "call", Self.center[0], Self.center[1], "dev.suzu.Center1", "Notify", "a{sv}", "1", "title", "u", "7")
    #expect(refused.status != 0)
    #expect(refused.errors.contains("'title' must be a string"), "\(refused.errors)")
    #expect(try busctl("call", Self.center[0], Self.center[1], "dev.suzu.Center1", "Notify", "s", "x").status != 0)
    #expect(
      try busctl("call", Self.center[0], Self.center[1], "dev.suzu.Center1", "Dismiss", "sas", "dev.suzu.Suzu", "0")
        .output
        == "u 1\n")
    #expect(popups.readLines(until: "#1 closed: withdrawn") != nil)
    #expect(try busctl("tree", Self.center[0]).output.contains("/dev/suzu/Center"))
  }

  @Test func `dbus-send cancels, reads properties and gets named errors`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "later", "--in", "1h", "--id", "l").status == 0)
    func send(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run(
        "dbus-send", ["--session", "--print-reply=literal", "--dest=\(Self.center[0])", Self.center[1]] + arguments,
        environment: session.environment)
    }
    let get = ["org.freedesktop.DBus.Properties.Get", "string:dev.suzu.Center1", "string:PendingCount"]
    #expect(try send(get[0], get[1], get[2]).output.contains("uint32 1"))
    #expect(try send("dev.suzu.Center1.Cancel", "string:dev.suzu.Suzu", "array:string:l,m").output == "   uint32 1\n")
    #expect(try send(get[0], get[1], get[2]).output.contains("uint32 0"))
    // A dictionary of strings is not a dictionary of variants.
    let wrong = try send("dev.suzu.Center1.Notify", "dict:string:string:title,x")
    #expect(wrong.status != 0 && wrong.errors.contains("org.freedesktop.DBus.Error.InvalidArgs"), "\(wrong.errors)")
    #expect(try send("dev.suzu.Center1.Watch").errors.contains("org.freedesktop.DBus.Error.InvalidArgs"))
    #expect(try send("org.freedesktop.DBus.Peer.GetMachineId").output.count > 32)
  }

  @Test func `notify-send uses our popups like any server`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let asking = try RunningProgram(
      "notify-send",
      ["--action=yes=Yes", "--action=no=No", "--urgency=critical", "--app-name=mail", "Subject", "Text"],
      environment: session.environment)
    #expect(
      popups.readLines(until: "from")
        == ["#1 Subject", "    Text", "    [1] Yes  [2] No", "    from mail, CRITICAL"])
    popups.say("2")
    #expect(asking.readLine() == "no")
    #expect(asking.waitForExit() == 0)
    let first = try session.run("notify-send", "--print-id", "One")
    #expect(popups.readLine(within: 5)?.hasPrefix("#1") == true)
    let number = first.output.dropLast()
    #expect(try session.run("notify-send", "--print-id", "--replace-id=\(number)", "Two").output == first.output)
    #expect(popups.readLines(until: "Two")?.last == "#\(number) Two")
  }
}
