// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

/// Tests the line of a condition, the dictionary that it stands for, and their errors.
@Suite struct ConditionTests {
  static let lines: [(line: String, canonical: String, dictionary: String)] = [
    ("wifi Home", "wifi Home", #"{"wifi": "Home"}"#),
    ("  wifi   'My  network' ", "wifi 'My  network'", #"{"wifi": "My  network"}"#),
    (#"wifi "Bob's \"den\"""#, #"wifi "Bob's \"den\"""#, #"{"wifi": "Bob's \"den\""}"#),
    ("wifi 'for'", "wifi 'for'", #"{"wifi": "for"}"#),
    ("enter network 'Work VPN'", "network 'Work VPN'", #"{"network": "Work VPN", "edge": "enter"}"#),
    (
      "place 52.5200,13.4050 200m", "place 52.52,13.405 200m",
      #"{"place": true, "latitude": 52.52, "longitude": 13.405, "radius": 200}"#
    ),
    (
      "leave place -33,151.5 1.5km", "leave place -33,151.5 1500m",
      #"{"place": true, "latitude": -33, "longitude": 151.5, "radius": 1500, "edge": "leave"}"#
    ),
    ("place office", "place office", #"{"place": "office"}"#),
    ("place '12,5 km away'", "place '12,5 km away'", #"{"place": "12,5 km away"}"#),
    ("place '3,office'", "place '3,office'", #"{"place": "3,office"}"#),
    // Marks that combine with what stands before them: a blank, a quote.
    ("place \u{32f}e", "place \u{32f}e", #"{"place": "\u032fe"}"#),
    (
      "place \"\u{32f}'\\\"\u{32f}\"", "place \"\u{32f}'\\\"\u{32f}\"",
      #"{"place": "\u032f'\"\u032f"}"#
    ),
    ("place '\u{a0}'", "place '\u{a0}'", #"{"place": "\u00a0"}"#),
    (
      "beacon f7826da6-4fa2-4e98-8024-bc5b71e0893e 1 2 for 10s",
      "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1 2 for 10s",
      #"{"beacon": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "major": 1, "minor": 2, "for": "10s"}"#
    ),
    ("battery < 20%", "battery < 20%", #"{"battery": "< 20%"}"#),
    ("battery >80", "battery > 80%", #"{"battery": ">80"}"#),
    ("change power", "change power", #"{"power": true, "edge": "change"}"#),
    ("unlocked for 90s", "unlocked for 1m30s", #"{"unlocked": true, "for": "90s"}"#),
    ("idle 10m", "idle 10m", #"{"idle": "10m"}"#),
    ("awake", "awake", #"{"awake": true}"#),
    ("unit backup.service failed", "unit backup.service failed", #"{"unit": "backup.service", "state": "failed"}"#),
    (
      "leave system unit foo@bar.timer active", "leave system unit foo@bar.timer active",
      #"{"unit": "foo@bar.timer", "state": "active", "system": true, "edge": "leave"}"#
    ),
    ("file '/tmp/print done'", "file '/tmp/print done'", #"{"file": "/tmp/print done"}"#),
    ("file /tmp/log/ changes", "file /tmp/log changes", #"{"file": "/tmp/log/", "changes": true}"#),
    ("device 'ID_VENDOR=Yubico'", "device ID_VENDOR=Yubico", #"{"device": {"ID_VENDOR": "Yubico"}}"#),
    ("signal org.example.Printer.Done", "signal org.example.Printer.Done", #"{"signal": "org.example.Printer.Done"}"#),
    (
      "system signal a.b.C from :1.5 at /x arg1='a b' arg0=c",
      "system signal a.b.C from :1.5 at /x arg0=c 'arg1=a b'",
      #"{"signal": "a.b.C", "system": true, "from": ":1.5", "at": "/x", "args": {"0": "c", "1": "a b"}}"#
    ),
  ]

  @Test func `A snooze time whose condition would be too long to be read back is refused`() throws {
    func path(_ length: Int) -> String { #"file /\"# + String(repeating: "x", count: length - 7) }
    let longest = try SnoozeTime(path(253))
    #expect(longest.text == "file '" + path(253).dropFirst(5) + "'")
    #expect(try SnoozeTime(longest.text) == longest)
    for length in [254, 255] { #expect(throws: RequestError.self) { try SnoozeTime(path(length)) } }
  }

  // Swift takes a blank and a combining mark after it as one character. The stored text had no other blank, so it was
  // taken for one word, and read back as a time.
  @Test(arguments: ["wifi  \u{301}p", "wifi \u{301}p", "wifi\tHome"])
  func `A snooze until a network is read back, whatever its name begins with`(_ text: String) throws {
    let time = try SnoozeTime(text)
    guard case .when(let condition) = time else { return #expect(Bool(false), "\(time)") }
    #expect(try condition == Condition(text) && SnoozeTime(time.text) == time)
  }

  @Test func `A line is read, and written in one way`() throws {
    for (line, canonical, _) in Self.lines {
      let condition = try Condition(line)
      #expect(condition.text == canonical)
      #expect(try Condition(canonical) == condition)
    }
  }

  @Test(arguments: Format.allCases)
  func `Every format reads the line and the dictionary that it stands for`(_ format: Format) throws {
    struct Holder: Decodable {
      let request: NotificationRequest
      init(from decoder: any Decoder) throws { request = try NotificationRequest(from: decoder) }
    }
    for (line, canonical, dictionary) in Self.lines {
      let quoted = PlainValue.text(line).json
      for on in [quoted, dictionary] {
        let request = try format.decode(#"{"title": "a", "on": \#(on)}"#, as: NotificationRequest.self)
        #expect(request.schedule.occasions?.condition.text == canonical, "\(format): \(on)")
        #expect(try JSONReader.read(request.json).decode(as: NotificationRequest.self) == request)
      }
    }
  }

  static let errors = [
    ("", "is empty; for example \"battery < 20%\" or \"wifi Home\""),
    ("battry < 20%", "has the unknown condition 'battry' (column 1); did you mean 'battery'?"),
    ("leave locked", "has the unknown condition 'locked' (column 7); did you mean 'leave unlocked'?"),
    (
      "battery<20%",
      "has the unknown condition 'battery<20%' (column 1); put a blank behind it, as in \"battery < 20%\""
    ),
    ("battery", "lacks '<' or '>' and a percentage (column 8); for example \"battery < 20%\""),
    ("battery below 20%", "needs '<' or '>', not 'below' (column 9); write '<'"),
    ("battery <= 20%", "needs '<' or '>' without '=' (column 10); for example \"battery < 20%\""),
    ("battery < 120%", "needs a percentage from 0% to 100%, not '120%' (column 11); for example \"battery < 20%\""),
    ("battery < 0%", "can never be true: a battery has from 0% to 100% (column 9)"),
    ("wifi", "lacks the name of the network (column 5); for example \"wifi Home\""),
    (
      "wifi My network",
      "has an unexpected 'network' (column 9); put a name with blanks in quotes, as in \"wifi 'My network'\""
    ),
    // They got the advice about names.
    ("power off", "has an unexpected 'off' (column 7); did you mean 'leave power'?"),
    (
      "place 52.5 13.4", "has an unexpected '13.4' (column 12); write latitude and longitude with a comma: 52.5,13.4"
    ),
    ("wifi 'My network", "has an open quote (column 6); close it with '"),
    (
      "wifi Home for 5",
      "needs a duration such as '90s', '10m', '1h30m' or '2d', not '5' (column 15); did you mean '5m'?"
    ),
    ("wifi Home for", "lacks the duration after 'for' (column 14); for example \"wifi Home for 5m\""),
    (
      "place 91,13 200m",
      "needs latitude and longitude in degrees, from -90 to 90 and from -180 to 180, not '91,13' (column 7); for example "
        + "\"place 52.52,13.405 200m\""
    ),
    ("place 52,13", "lacks the radius (column 12); for example \"place 52.52,13.405 200m\""),
    (
      "place 52,13 200",
      "needs a radius from 1m to 1000km, not '200' (column 13); did you mean '200m'?"
    ),
    ("unit backup failed", "needs the full name of the unit, not 'backup' (column 6); did you mean 'backup.service'?"),
    ("unit backup.service", "lacks the state of the unit (column 20); for example \"unit backup.service failed\""),
    ("unit backup.service runing", "has the unknown state 'runing' (column 21); known are failed, active, inactive"),
    ("unit backup.service stopped", "has the unknown state 'stopped' (column 21); did you mean 'inactive'?"),
    (
      "system wifi Home",
      "has 'system' in front of 'wifi' (column 1); only 'unit' and 'signal' are of the system or the user"
    ),
    (
      "file done",
      "needs the whole path, from '/' on and without '..', not 'done' (column 6); for example \"file /tmp/done\""
    ),
    ("file /tmp/x changed", "has an unexpected 'changed' (column 13); did you mean 'changes'?"),
    ("file /tmp/x changes for 5m", "cannot have 'for': 'file … changes' is an event and not a state (column 1)"),
    ("leave awake", "cannot have 'leave': 'awake' is an event and not a state (column 1)"),
    ("device Yubico", "needs NAME=VALUE, not 'Yubico' (column 8); for example \"device 'ID_VENDOR=Yubico'\""),
    (
      "signal Done",
      "needs INTERFACE.MEMBER, not 'Done' (column 8); for example \"signal org.example.Printer.Done arg0=page\""
    ),
    (
      "signal *",
      "must name one signal: with '*', every message on the bus would wake the center (column 8); for example "
        + "\"signal org.example.Printer.Done arg0=page\""
    ),
    (
      "signal org.freedesktop.DBus.Properties.PropertiesChanged",
      "matches a signal that nearly every program sends, and would wake the center each time (column 8); add 'from NAME', "
        + "'at PATH' or 'arg0=VALUE'"
    ),
    (
      "signal a.b.C to x",
      "has an unexpected 'to' (column 14); behind the signal come 'from NAME', 'at PATH' and 'arg0=VALUE', each once"
    ),
    ("idle 10", "needs a duration such as '90s', '10m', '1h30m' or '2d', not '10' (column 6); did you mean '10m'?"),
  ]

  @Test(arguments: errors)
  func `An error names the place and the right form`(_ line: String, _ problem: String) {
    let json = #"{"title": "a", "on": \#(PlainValue.text(line).json)}"#
    #expect(Format.json.complaint(about: json) == "'on' \(problem)")
  }

  @Test(arguments: [
    (#"{"wfi": "Home"}"#, "has the unknown condition 'wfi'; did you mean 'wifi'?"),
    (#"{"wifi": "Home", "power": true}"#, "has the conditions 'power' and 'wifi'; give one of them"),
    (#"{"edge": "leave"}"#, "lacks a condition; for example {\"wifi\": \"Home\"}"),
    (#"{"wifi": "Home", "state": "failed"}"#, "has the unknown key 'state' beside 'wifi'"),
    (#"{"wifi": 1}"#, "needs 'wifi' to be a string"),
    (#"{"power": false}"#, "needs 'power' to be true; use 'edge' for its opposite"),
    (#"{"wifi": "Home", "edge": "left"}"#, "needs an 'edge' of 'enter', 'leave' or 'change', not 'left'"),
    (#"{"unit": "a.service"}"#, "lacks 'state' beside 'unit'"),
    (
      #"{"unit": "a", "state": "failed"}"#,
      "needs the full name of the unit, not 'a' (column 6); did you mean 'a.service'?"
    ),
    ("5", "must be a condition such as 'battery < 20%', or its dictionary, not 5"),
    ("[]", "must be a condition such as 'battery < 20%', or its dictionary, not a list"),
  ])
  func `A wrong dictionary is refused`(_ on: String, _ problem: String) {
    #expect(Format.json.complaint(about: #"{"title": "a", "on": \#(on)}"#) == "'on' \(problem)")
  }

  @Test func `A million letters are refused, and no letter of a line breaks the reader`() {
    #expect(throws: RequestError.self) { try Condition("wifi " + String(repeating: "a", count: 1_000_000)) }
    let line = Array(#"system signal a.b.C from x.y at /x arg0='a "b' for 5m"#)
    for start in line.indices {
      for letter in ["", "'", "\"", "\\", "=", "é", "\u{0}"] {
        var copy = line
        copy.replaceSubrange(start...start, with: Array(letter))
        // Whatever it accepts must read back equal.
        if let condition = try? Condition(String(copy)) { #expect((try? Condition(condition.text)) == condition) }
      }
    }
  }

  @Test func `Only the details of the condition may be placeholders`() {
    func complaint(_ words: String) -> String? { Format.json.complaint(about: #"{"title": "a", \#(words)}"#) }
    #expect(complaint(#""on": "wifi x", "body": "{event.ssid} {event.edge} {{event.x}} {reply}""#) == nil)
    #expect(
      complaint(#""on": "wifi x", "body": "{event.sid}""#)
        == "'body' has the unknown placeholder {event.sid}; 'wifi' has {event.ssid}, {event.condition}, {event.edge}, {event.late}; "
        + "did you mean {event.ssid}?")
    #expect(complaint(#""on": "signal a.b.C", "url": "https://x/{event.arg12}""#) == nil)
    #expect(complaint(#""on": "device A=b", "body": "{event.ID_SERIAL}""#) == nil)
    #expect(
      complaint(#""url": "https://x/{event.arg0}""#)
        == "'url' has {event.arg0}, which only a request with 'on' has")
    // Without a condition, braces in a text are only braces.
    #expect(complaint(#""body": "{event.ssid}""#) == nil)
  }
}
