// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing

@testable import Links

/// Tests how packets of MQTT 5 are read and written, what messages mean, and what a session remembers.
@Suite struct MQTTTests {
  private static func read(_ bytes: [UInt8], longest: Int = 1024) throws -> [MQTTReader.Frame] {
    var reader = MQTTReader(longest: longest)
    var rest = bytes[...]
    var frames: [MQTTReader.Frame] = []
    while let frame = try reader.next(&rest) { frames.append(frame) }
    #expect(rest.isEmpty && reader.count <= longest)
    return frames
  }

  private static func packets(_ bytes: [UInt8]) throws -> [MQTTPacket] {
    try read(bytes).map { frame in
      guard case .packet(let header, let body) = frame else { throw TestFailure("a packet that is too long") }
      return try MQTTPacket(header: header, body: body)
    }
  }

  private static func fault(_ bytes: [UInt8]) -> MQTTFault? {
    do { _ = try packets(bytes) } catch { return error as? MQTTFault }
    return nil
  }

  private static func message(
    _ text: String, to topic: String = "suzu/ann/tea", number: UInt16? = 1, isRetained: Bool = false,
    _ words: [(String, String)] = [], expiry: UInt32? = nil
  ) -> MQTTMessage {
    var properties = MQTTProperties()
    properties.words = words.map { MQTTProperties.Word($0, $1) }
    properties.expiry = expiry
    return MQTTMessage(topic: topic, number: number, isRetained: isRetained, properties, Array(text.utf8))
  }

  // MARK: Packets

  @Test func `What is written is read back equal`() throws {
    for message in [
      Self.message("x"), Self.message("", number: nil), Self.message("y", isRetained: true),
      Self.message(String(repeating: "z", count: 500), number: 65_535, [("a", "b"), ("a", ""), ("", "ä")], expiry: 60),
    ] {
      #expect(try Self.packets(MQTTOutput.publish(message)) == [.publish(message)])
    }
  }

  @Test func `A connection is asked for as MQTT 5 has it`() {
    var connection = MQTTOutput.Connection(client: "suzu1")
    (connection.login, connection.password, connection.keepAlive) = ("ann", "pw", 60)
    connection.mostPending = 64
    #expect(
      MQTTOutput.connect(connection) == [0x10, 40, 0, 4] + Array("MQTT".utf8) + [5, 0xC0, 0, 60]
        + [13, 0x11, 0, 9, 0x3A, 0x80, 0x21, 0, 64, 0x27, 0, 0x12, 0x4F, 0x80]
        + [0, 5] + Array("suzu1".utf8) + [0, 3] + Array("ann".utf8) + [0, 2] + Array("pw".utf8))
    #expect(MQTTOutput.subscribe("a/#", number: 1) == [0x82, 9, 0, 1, 0, 0, 3] + Array("a/#".utf8) + [0x19])
    #expect(MQTTOutput.acknowledge(258) == [0x40, 2, 1, 2])
    #expect(MQTTOutput.disconnect() == [0xE0, 0] && MQTTOutput.disconnect(0x93) == [0xE0, 1, 0x93])
  }

  @Test func `Answers of a server are read`() throws {
    #expect(try Self.packets([0x20, 3, 1, 0, 0]) == [.connected(isResumed: true, reason: 0, MQTTProperties())])
    guard case .connected(false, 0, let properties)? = try Self.packets([0x20, 6, 0, 0, 3, 0x13, 0, 30]).first else {
      throw TestFailure("no answer")
    }
    #expect(properties.keepAlive == 30)
    // A server of an older version refuses in two bytes.
    #expect(try Self.packets([0x20, 2, 0, 1]) == [.connected(isResumed: false, reason: 1, MQTTProperties())])
    #expect(try Self.packets([0x90, 4, 0, 1, 0, 0x87]) == [.subscribed(number: 1, reason: 0x87)])
    #expect(try Self.packets([0x40, 2, 0, 2, 0xD0, 0]) == [.acknowledged(number: 2, reason: 0), .pong])
    #expect(try Self.packets([0xE0, 1, 0x8E, 0xE0, 0]) == [.disconnected(reason: 0x8E), .disconnected(reason: 0)])
  }

  @Test(
    arguments: [
      [0x32, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0x32, 0x80, 0x00], [0x34, 6, 0, 1, 97, 0, 1, 0], [0x38, 4, 0, 1, 97, 0],
      [0x32, 2, 0, 9], [0x32, 5, 0, 1, 97, 0, 0], [0x20, 3, 2, 0, 0], [0x20, 3, 1, 0x87, 0],
      [0x20, 5, 0, 0, 9, 0x13, 0],
      [0x20, 4, 0, 0, 1, 0x7F], [0x20, 9, 0, 0, 6, 0x13, 0, 1, 0x13, 0, 1], [0x21, 3, 0, 0, 0], [0x90, 2, 0, 1],
      [0x90, 5, 0, 1, 0, 0, 0], [0xD0, 1, 0], [0xF0, 0], [0x62, 2, 0, 1], [0x10, 0], [0x00, 0], [0x40, 2, 0, 0],
      [0xE0, 3, 0, 1, 0x11], [0x90, 0x80, 0x10],
    ] as [[UInt8]])
  func `What is no packet of a server is refused`(bytes: [UInt8]) {
    #expect(Self.fault(bytes) != nil, "\(bytes)")
  }

  @Test(
    arguments: [
      // A property that does not exist, one of another packet, a length beyond the end; a topic and a word with a bad
      // byte.
      [0x32, 7, 0, 1, 97, 0, 7, 1, 0x7F], [0x32, 9, 0, 1, 97, 0, 7, 3, 0x23, 0, 1], [0x32, 6, 0, 1, 97, 0, 7, 0x20],
      [0x32, 6, 0, 1, 0xFF, 0, 7, 0], [0x32, 6, 0, 1, 0x23, 0, 7, 0], [0x32, 6, 0, 1, 0, 0, 7, 0],
      [0x32, 5, 0, 0, 0, 7, 0], [0x32, 13, 0, 1, 97, 0, 7, 7, 0x26, 0, 1, 0xC3, 0, 1, 97],
    ] as [[UInt8]])
  func `A damaged message has a number, to be acknowledged by`(bytes: [UInt8]) throws {
    #expect(try Self.packets(bytes) == [.damaged(number: 7)], "\(bytes)")
  }

  @Test func `Packets come whole, however they are divided`() throws {
    let messages = (1...3).map { Self.message("m\($0)", number: UInt16($0)) }
    let bytes = messages.flatMap(MQTTOutput.publish)
    for part in 1...bytes.count {
      var reader = MQTTReader(longest: 1024)
      var packets: [MQTTPacket] = []
      for start in stride(from: 0, to: bytes.count, by: part) {
        var rest = bytes[start..<min(start + part, bytes.count)]
        while case .packet(let header, let body)? = try reader.next(&rest) {
          packets.append(try MQTTPacket(header: header, body: body))
        }
      }
      #expect(packets == messages.map(MQTTPacket.publish), "parts of \(part)")
    }
  }

  @Test func `Ten mebibytes leave nothing behind but the number`() throws {
    let long = MQTTOutput.publish(Self.message(String(repeating: "x", count: 10 << 20), number: 4711))
    #expect(try Self.read(long + MQTTOutput.publish(Self.message("a"))).first == .tooLong(number: 4711))
    let unnumbered = MQTTOutput.publish(Self.message(String(repeating: "x", count: 2000), number: nil))
    #expect(try Self.read(unnumbered) == [.tooLong(number: nil)])
    // The topic alone is longer than the limit.
    let topic = MQTTOutput.publish(Self.message("", to: String(repeating: "t", count: 60_000), number: 258))
    #expect(try Self.read(topic) == [.tooLong(number: 258)])
    for part in [1, 3, 1000] {
      var reader = MQTTReader(longest: 1024)
      var frames: [MQTTReader.Frame] = []
      for start in stride(from: 0, to: topic.count, by: part) {
        var rest = topic[start..<min(start + part, topic.count)]
        while let frame = try reader.next(&rest) { frames.append(frame) }
        #expect(reader.count == 0)
      }
      #expect(frames == [.tooLong(number: 258)], "parts of \(part)")
    }
    // Nothing else may be long, and no name may be longer than its packet.
    #expect(throws: MQTTFault.tooLong) { try Self.read([0x90, 0xFF, 0xFF, 0x7F]) }
    #expect(throws: MQTTFault.malformed) {
      try Self.read([0x32, 0x80, 0x10, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 2046))
    }
  }

  // MARK: Messages

  @Test func `The words of a sender say what the notification is`() throws {
    let words = [
      ("title", "Backup"), ("priority", "5"), ("click", "https://example.org/{a}"), ("tag", "disk"), ("tag", "nas"),
      ("id", "b-7"), ("app", "org.example.Bank"), ("title", "second"),
    ]
    let content = try #require(Self.message("Done", words, expiry: 60).content(id: "x-1", now: 1000))
    #expect(content.id == "b-7" && content.title == "Backup" && content.text == "Done" && content.priority == 5)
    #expect(content.tags == ["disk", "nas"] && content.url == "https://example.org/%7Ba%7D" && content.expires == 1060)
    #expect(content.sequence == nil)
    let plain = try #require(
      Self.message("x", [("priority", "9"), ("click", "file:///etc/passwd"), ("id", "../x")]).content(id: "x-1", now: 0)
    )
    #expect(plain.id == "x-1" && plain.priority == 3 && plain.url == nil && plain.expires == nil)
    #expect(MQTTMessage(topic: "a", MQTTProperties(), [0xFF]).content(id: "x", now: 0) == nil)
    // The app is that of the link.
    let link = try LinkDefinition(
      app: "org.example.Tea", server: try ServerAddress("mqtts://a.example"), topic: "suzu/ann/#")
    let push = try #require(LinkPush(content, of: link, try LinkName("home")))
    #expect(push.app == "org.example.Tea" && push.expires == 1060 && push.collapse == "home/b-7")
  }

  @Test func `A state of a topic has the id of the topic`() throws {
    let state = Self.message("on", isRetained: true)
    #expect(state.content(id: "x", now: 0)?.sequence == "topic/suzu/ann/tea" && !state.isTombstone)
    #expect(Self.message("", isRetained: true).isTombstone && !Self.message("").isTombstone)
    let long = MQTTMessage.sequence(of: String(repeating: "a/", count: 1000))
    #expect(long.hasPrefix("topic/~") && long.utf8.count < 30)
    #expect(long != MQTTMessage.sequence(of: String(repeating: "a/", count: 1001)))
  }

  // MARK: Sessions

  @Test func `A session knows what it was sent, until that is acknowledged`() throws {
    var numbers = SeededNumbers(seed: 5)
    var session = MQTTSession.new(using: &numbers)
    let message = Self.message("x", number: 7)
    let flight = session.begin(7, message.digest)
    #expect(session.knows(7, message.digest) && !session.knows(8, message.digest))
    #expect(!session.knows(7, Self.message("y", number: 7).digest))
    #expect(session.id(flight) != session.id(session.begin(8, message.digest)))
    session.note(Self.message("on", isRetained: true))
    #expect(try #require(MQTTSession(session.plain)) == session)
    session.end(7)
    #expect(!session.knows(7, message.digest))
    session.restart()
    #expect(session.flights.isEmpty && session.shown.count == 1)
  }

  @Test func `A session goes on with what was kept, and without that with no id that may have been given`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("home.session")
    let message = Self.message("x", number: 7)
    var written = MQTTSession(client: "suzu1")
    let first = written.begin(6, message.digest)
    let log = MQTTSessionLog(path)
    log.clear()
    var kept = written
    let flight = kept.begin(7, message.digest)
    log.add(.began(7, flight))
    log.add(kept.note(Self.message("on", isRetained: true)))
    kept.end(6)
    log.add(.ended(6, first))
    try log.keep(of: kept)
    func expectKept(_ comment: Comment? = nil) {
      let resumed = MQTTSession.resumed(written, keptIn: path)
      #expect(resumed.flights == kept.flights && resumed.shown == kept.shown, comment)
      #expect(resumed.count == kept.count + MQTTSession.mostUnwritten, comment)
    }
    expectKept()
    // More of it, and then what a full disk, another version or another session may have left.
    log.add(.restarted)
    kept.restart()
    log.add(.began(9, kept.begin(9, message.digest)))
    try log.keep(of: kept)
    for more in ["", "+ 7 3 ab", "?\n", "+ 1 2\n- 7\n+ 99999 1 a\n! x\n", "= suzu2\n+ 8 70 ab\n"] {
      try folder.write(try #require(folder.read("home.session")) + more, to: "home.session")
      expectKept("after \(more)")
    }
    // Written after it, the state has all that is known.
    var later = kept
    later.end(9)
    let resumed = MQTTSession.resumed(later, keptIn: path)
    #expect(resumed.flights.isEmpty && resumed.count == later.count + MQTTSession.mostUnwritten)
    log.clear()
    #expect(folder.read("home.session") == "")
    // After a loss of power the file may be empty, an old one, or that of an earlier session.
    for text in ["", "{", "= suzu2\n+ 7 99 ab\n", "= suzu1\n+ 7 1 ab\n"] {
      try folder.write(text, to: "home.session")
      var next = MQTTSession.resumed(written, keptIn: path)
      #expect(next.knows(6, message.digest) && !next.knows(7, message.digest), "\(text)")
      #expect(next.id(next.begin(8, message.digest)) != kept.id(flight), "\(text)")
    }
    #expect(MQTTSession.resumed(written, keptIn: folder.path("none")).count > kept.count)
  }

  @Test func `A log of a session that grows too long is not written before the state is`() throws {
    let folder = try TemporaryFolder()
    let log = MQTTSessionLog(folder.path("home.session"))
    var session = MQTTSession(client: "suzu1")
    for number in 0..<3000 { log.add(.began(UInt16(number), session.begin(UInt16(number), MQTTDigest([])))) }
    #expect(throws: (any Error).self) { try log.keep(of: session) }
    #expect(folder.read("home.session") == nil)
    log.clear()
    log.add(.ended(1, session.begin(1, MQTTDigest([]))))
    try log.keep(of: session)
    let kept = try #require(folder.read("home.session"))
    #expect(kept.hasPrefix("= suzu1\n- 1 3001 ") && kept.utf8.count < 100)
  }

  @Test func `The last state of a topic is known, and the oldest ones are forgotten`() {
    var session = MQTTSession(client: "suzu1")
    let state = Self.message("on", isRetained: true)
    session.note(state)
    #expect(session.hasShown(state) && !session.hasShown(Self.message("off", isRetained: true)))
    session.note(Self.message("", isRetained: true))
    #expect(!session.hasShown(state) && session.shown.isEmpty)
    for number in 0..<300 { session.note(Self.message("x", to: "t/\(number)", isRetained: true)) }
    #expect(session.shown.count == MQTTSession.mostShown)
    #expect(!session.hasShown(Self.message("x", to: "t/43", isRetained: true)))
    #expect(session.hasShown(Self.message("x", to: "t/44", isRetained: true)))
  }

  @Test func `The longest state fits the file`() throws {
    var state = LinkState()
    var session = MQTTSession(client: String(repeating: "c", count: 20))
    for number in 0..<1000 { _ = session.begin(UInt16(60_000 + number), Self.message("\(number)").digest) }
    for number in 0..<300 { session.note(Self.message("x", to: "t/\(number)", isRetained: true)) }
    state.session = session
    let folder = try TemporaryFolder()
    try state.write(to: folder.path("a"))
    #expect(LinkState.read(folder.path("a")) == state)
  }

  @Test(arguments: [
    "null", "{}", #"{"client": ""}"#, #"{"client": "a", "count": -1}"#, #"{"client": 5, "count": 1}"#,
  ])
  func `A damaged session counts as none`(text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"phase": "connected", "since": 1, "session": \#(text)}"#, to: "a")
    #expect(LinkState.read(path)?.session == nil)
  }

  // MARK: Definitions

  @Test(arguments: ["#", "a", "suzu/ann/#", "+/x/+", "a//b", "/", "häuser/+"])
  func `A filter names topics`(filter: String) throws {
    #expect(try Transport.mqtt.checked(topic: filter) == filter)
    #expect(MQTTTopic.isName(MQTTTopic.example(of: filter)))
  }

  @Test(arguments: ["", "a#", "#/a", "a+", "a/+b", "$SYS/#", "$share/g/a", "a\u{0}b", "a\nb"])
  func `Anything else is no filter`(filter: String) {
    #expect(throws: RequestError.self) { try Transport.mqtt.checked(topic: filter) }
  }

  @Test(arguments: [
    ("mqtts://a.example", "https://a.example:8883"), ("mqtts://a.example:99/", "https://a.example:99"),
    ("MQTTS://[2001:db8::1]", "https://[2001:db8::1]:8883"), ("mqtt://127.0.0.1", "http://127.0.0.1:1883"),
    ("mqtt://[::1]:5", "http://[::1]:5"),
  ])
  func `An address has the usual port`(text: String, connectable: String) throws {
    let address = try ServerAddress(text)
    #expect(address.transport == .mqtt && address.connectable == connectable)
    #expect(address.isEncrypted == connectable.hasPrefix("https"))
  }

  @Test(arguments: ["mqtts://a.example/x", "mqtts://", "mqtt:a.example", "mqtts://u@a.example", "mqtts://a.example:0"])
  func `Others are no addresses`(text: String) {
    #expect(throws: RequestError.self) { try ServerAddress(text) }
  }

  @Test func `Without TLS, the server must be this machine`() {
    let error = #expect(throws: RequestError.self) { try ServerAddress("mqtt://a.example") }
    #expect(error?.problem.hasPrefix("must begin with 'mqtts://'") == true)
  }

  @Test(
    arguments: [
      (0x86, true, "check the user and the password", false), (0x87, false, "give the link a user", false),
      (0x01, false, "does not speak MQTT 5", false), (0x88, true, "in trouble", true), (0x9D, true, "has moved", false),
      (0x9F, true, "too many requests", true), (0xFE, true, "MQTT 0xFE", false),
    ] as [(UInt8, Bool, String, Bool)])
  func `A refusal says what to do`(code: UInt8, hasSecret: Bool, words: String, isTemporary: Bool) {
    let reason = MQTTReason(connecting: code, hasSecret: hasSecret)
    #expect(reason.problem.contains(words) && reason.isTemporary == isTemporary, "\(reason)")
  }
}
