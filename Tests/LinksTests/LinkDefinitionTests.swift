// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import Links

/// Tests the files of links: what they may say, and the errors.
@Suite struct LinkDefinitionTests {
  private static let least = #""app": "org.example.Tea", "server": "https://ntfy.example.com", "topic": "tea""#

  private static func read(_ text: String) throws -> LinkDefinition { try LinkDefinition(Array(text.utf8)) }

  private static func error(of text: String) -> String {
    do { _ = try read(text) } catch { return "\(error)" }
    return "none"
  }

  @Test func `A link needs an app, a server and a topic`() throws {
    let link = try Self.read("{\(Self.least)}")
    #expect(link.app == "org.example.Tea" && link.server.text == "https://ntfy.example.com" && link.topic == "tea")
    #expect(link.levels == [.passive, .active, .timeSensitive] && link.secret == nil && link.format == .text)
    #expect(Self.error(of: "{}") == "line 1, column 1: 'app' is missing")
    #expect(Self.error(of: #"{"app": "a", "server": "https://a.example"}"#) == "line 1, column 1: 'topic' is missing")
  }

  @Test func `What is written is read back equal`() throws {
    var link = try LinkDefinition(
      app: "org.example.Tea", server: try ServerAddress("https://a.example:8443/ntfy/"), topic: "t-1_x")
    #expect(try Self.read(link.text) == link)
    link.secret = .password(login: "ann", .file("home.secret"))
    link.authority = "home.pem"
    link.clientCertificate = "home.identity"
    link.levels = [.active, .critical]
    link.category = "backup"
    link.categories = ["one", "two"]
    link.format = .apns
    link.limits.messagesPerMinute = 7
    link.limits.longestMessage = 2048
    link.limits.mostPending = 3
    link.silence = .seconds(75)
    link.send = "phone"
    #expect(try Self.read(link.text) == link)
    (link.send, link.receives) = (link.topic, false)
    #expect(try Self.read(link.text) == link)
    link.secret = .token(.credential("ntfy"))
    #expect(try Self.read(link.text) == link)
    link.secret = .token(.file("/a b"))
    #expect(try Self.read(link.text) == link)
    link.secret = .password(login: "ann", .credential("ntfy"))
    #expect(try Self.read(link.text) == link)
    link.server = try ServerAddress("mqtts://b.example")
    link.topic = "suzu/ann/#"
    (link.send, link.receives) = (nil, true)
    #expect(try Self.read(link.text) == link)
    link.server = try ServerAddress(distributor: "org.unifiedpush.Distributor.kde")
    (link.topic, link.secret) = ("", .keys(.file("home.secret")))
    (link.authority, link.clientCertificate) = (nil, nil)
    link.vapid =
      "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    #expect(try Self.read(link.text) == link)
    link.server = try ServerAddress(distributor: nil)
    (link.secret, link.vapid) = (.keys(.credential("push")), nil)
    #expect(try Self.read(link.text) == link && link.server.text == "unifiedpush:")
    link.send = "x"
    #expect(Self.error(of: link.text).hasSuffix("'send' needs a server of ntfy: its address begins with https://"))
  }

  @Test(arguments: [
    (#""tocpic": "x""#, "'tocpic' is not a known key; did you mean 'topic'?"),
    (
      #""token": "tk_secret""#,
      "'token' is not a known key; put it into a file that only you can read, and name that with 'tokenFile'"
    ),
    (#""send": "a/b""#, "'send' must be 1 to 64 letters, digits, dashes and underscores"),
    (
      #""send": "tea""#,
      "'send' must be another topic than 'topic', or what is sent would come back; or set 'receive' to false"
    ),
    (#""receive": false"#, "'receive' needs 'send': the link would do nothing"),
    (#""receive": "no""#, "'receive' must be true or false"),
    (#""levels": ["loud"]"#, "'levels[0]' must be one of passive, active, timeSensitive, critical"),
    (#""levels": []"#, "'levels' must name at least one level"),
    (#""login": "ann""#, "'login' needs 'passwordFile' or 'passwordCredential'"),
    (#""passwordFile": "x""#, "'login' is missing, the user whose password that is"),
    (#""tokenFile": "x", "login": "ann", "passwordFile": "y""#, "'login' and a token cannot be combined"),
    (#""tokenFile": "x", "tokenCredential": "y""#, "'tokenFile' and 'tokenCredential' cannot be combined"),
    (#""tokenCredential": "../x""#, "'tokenCredential' must be the name of a credential of systemd"),
    (#""login": "a:b", "passwordFile": "y""#, "'login' must be the name of a user, without a colon"),
    (#""messagesPerMinute": 0"#, "'messagesPerMinute' must be an integer from 1 to 6000"),
    (#""longestMessage": 10485760"#, "'longestMessage' must be an integer from 1024 to 1048576"),
    (#""mostPending": "many""#, "'mostPending' must be an integer from 1 to 1000"),
    (#""silence": "0s""#, "'silence' must be a duration from 1s to 1h"),
    (#""format": "xml""#, "'format' must be 'text' or 'apns'"),
    (#""transport": "mqtt""#, "'transport' must be 'ntfy', as the address of the server says"),
    (#""clientCertificate": """#, "'clientCertificate' must be the path of a file with a certificate and its key"),
    (#""category": """#, "'category' must not be empty"),
    (#""categories": ["a", 1]"#, "'categories[1]' must be a string"),
  ])
  func `A wrong value is named, with its place`(line: String, problem: String) {
    let error = Self.error(of: "{\(Self.least),\n \(line)}")
    #expect(error.hasPrefix("line ") && error.hasSuffix(": " + problem), "\(error)")
    #expect(!error.contains("tk_secret"))
  }

  @Test(arguments: [
    (#""topic": "tea""#, "'topic' is not for UnifiedPush"),
    (#""vapid": "x""#, "'vapid' must be the public key of a sender: 87 letters of base64url, beginning with 'B'"),
    (#""login": "ann", "passwordFile": "x""#, "'login' and a token are not for UnifiedPush: the distributor signs in"),
    (#""keysCredential": "x""#, "'keysFile' and 'keysCredential' cannot be combined"),
    (#""authority": "x""#, "'authority' needs a server with TLS: https or mqtts"),
    (#""send": "x""#, "'send' needs a server of ntfy: its address begins with https://"),
    (#""transport": "ntfy""#, "'transport' must be 'unifiedpush', as the address of the server says"),
  ])
  func `With UnifiedPush, a wrong value is named as well`(line: String, problem: String) {
    let least = #""app": "org.example.Tea", "server": "unifiedpush:", "keysFile": "home.secret""#
    #expect(Self.error(of: "{\(least)}") == "none")
    let error = Self.error(of: "{\(least),\n \(line)}")
    #expect(error.hasSuffix(": " + problem), "\(error)")
  }

  @Test func `The keys of UnifiedPush are needed there, and not elsewhere`() {
    #expect(
      Self.error(of: #"{"app": "a", "server": "unifiedpush:"}"#).hasSuffix(
        "'keysFile' is missing; 'suzu link add' makes the keys"))
    #expect(
      Self.error(of: "{\(Self.least), \"keysFile\": \"x\"}").hasSuffix(
        "'keysFile' and 'keysCredential' are for UnifiedPush only"))
    #expect(Self.error(of: "{\(Self.least), \"vapid\": \"x\"}").hasSuffix("'vapid' is for UnifiedPush only"))
  }

  @Test(arguments: [
    "unifiedpush:kde", "unifiedpush:org.unifiedpush.Distributor.", "unifiedpush:org.unifiedpush.Distributor.1x",
    "unifiedpush:org.unifiedpush.Distributor.a..b", "unifiedpush:org.unifiedpush.Distributor.a b",
    "unifiedpush://org.unifiedpush.Distributor.a",
  ])
  func `A distributor is a name on the bus`(text: String) {
    let error = #expect(throws: RequestError.self) { try ServerAddress(text) }
    #expect(error?.problem.hasPrefix("must be the name of a distributor on the bus") == true)
  }

  @Test(arguments: [
    "https://ntfy.example.com", "https://a.example:8443", "https://[2001:db8::1]:8443/push", "http://127.0.0.1:80",
    "http://localhost", "http://[::1]:5",
  ])
  func `An address is that of a server`(text: String) throws {
    #expect(try ServerAddress(text + "/").text == text)
  }

  @Test(arguments: [
    "", "ntfy.example.com", "ftp://a.example", "https://", "https://ann:secret@a.example", "https://a.example?x=1",
    "https://a.example#x", "https://a.example:99999", "https://a.example:0", "https://a b.example", "https://[::1",
    "https://a.example\r\nHost: b", "https://:443", "file:///etc/passwd", "https://ä.example",
  ])
  func `Anything else is not`(text: String) {
    #expect(throws: RequestError.self) { try ServerAddress(text) }
  }

  @Test(arguments: [
    "http://192.168.1.2", "http://127.0.0.1.example.com", "http://ntfy.example.com", "http://localhost.example",
  ])
  func `Without TLS, the server must be this machine`(text: String) {
    let error = #expect(throws: RequestError.self) { try ServerAddress(text) }
    #expect(error?.problem.hasPrefix("must begin with 'https://'") == true)
  }

  @Test(arguments: ["", ".", "..", ".home", "-x", "a/b", "a b", "ä", String(repeating: "a", count: 65)])
  func `The name of a link is that of a plain file`(text: String) {
    #expect(throws: RequestError.self) { try LinkName(text) }
  }

  @Test(arguments: ["", "a/b", "a,b", "a?b", "a b", String(repeating: "a", count: 65)])
  func `A topic is one plain word`(text: String) {
    #expect(throws: RequestError.self) { try Transport.ntfy.checked(topic: text) }
  }
}
