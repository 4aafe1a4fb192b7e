// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

/// Tests actions that call a server: what they may say, and that nothing that is filled in leaves its place.
@Suite struct HTTPCallTests {
  private static func request(_ http: String) throws -> NotificationRequest {
    try JSONReader.read(
      #"{"title": "a", "userInfo": {"k": "a\"b\nc&d"}, "actions": [{"id": "x", "title": "X", "http": \#(http)}]}"#
    ).decode()
  }

  private static func call(_ http: String) throws -> HTTPCall {
    guard case .http(let call)? = try request(http).content.actions.first?.effect else {
      throw RequestError("", "no call")
    }
    return call
  }

  private static func error(of http: String) -> String {
    do { _ = try request(http) } catch { return "\(error)" }
    return "none"
  }

  private static func filled(_ http: String, reply: String = "") throws -> HTTPCall {
    let request = try request(http)
    let response = Response(
      number: 1, app: "a", id: "i", action: "x", reply: reply, due: nil, missed: 0, userInfo: request.content.userInfo,
      event: [:])
    return try call(http).filled(for: response, of: request)
  }

  @Test(arguments: [
    #"{"url": "https://example.org/"}"#, #"{"url": "http://127.0.0.1:8123/x?y={reply}", "method": "GET"}"#,
    #"{"url": "https://[::1]:1/", "headers": {"Authorization": "Bearer a{b"}, "body": "on"}"#,
    #"{"url": "https://example.org/", "method": "PUT", "body": {"a": ["{reply}", 1, true, {"b": "{id}"}]}}"#,
  ])
  func `It is read, and written equal`(http: String) throws {
    let request = try Self.request(http)
    #expect(try JSONReader.read(request.json).decode() == request)
    let call = try Self.call(http)
    #expect(call.plain.json.contains(call.url.replacing("/", with: "/")))
  }

  @Test(arguments: [
    (#"{}"#, "'actions[0].http.url' is missing"),
    (#""https://example.org/""#, "'actions[0].http' must be a dictionary"),
    (#"{"url": "ftp://example.org/"}"#, "'actions[0].http.url' must be a URL such as"),
    (
      #"{"url": "http://example.org/"}"#,
      "'actions[0].http.url' must begin with 'https://', unless the server runs on this machine"
    ),
    (#"{"url": "https://{reply}/"}"#, "'actions[0].http.url' must name its host, without a user and placeholders"),
    (#"{"url": "https://a{reply}.org/"}"#, "must name its host, without a user and placeholders"),
    (#"{"url": "https://ann:pw@example.org/"}"#, "must name its host, without a user and placeholders"),
    (#"{"url": "http://127.0.0.1@example.org/"}"#, "must name its host, without a user and placeholders"),
    (#"{"url": "https:///x"}"#, "must name its host"),
    (#"{"url": "https://example.org/{rply}"}"#, "has the unknown placeholder {rply}"),
    (#"{"url": "https://example.org/", "method": "TRACE"}"#, "'actions[0].http.method' must be one of 'GET', 'POST'"),
    (#"{"url": "https://example.org/", "method": "GET", "body": "x"}"#, "needs another method than GET"),
    (
      #"{"url": "https://example.org/", "headers": {"Host": "x"}}"#,
      "cannot set 'Host', which belongs to the connection"
    ),
    (#"{"url": "https://example.org/", "headers": {"A B": "x"}}"#, "must have names of letters, digits and dashes"),
    (#"{"url": "https://example.org/", "headers": {"A": "secret\nX: y"}}"#, "must have values in ASCII of at most"),
    (#"{"url": "https://example.org/", "headers": {"A": "secret{reply}"}}"#, "cannot have placeholders, which 'A' has"),
    (#"{"url": "https://example.org/", "headers": {"A": 1}}"#, "'actions[0].http.headers.A' must be a string, not 1"),
    (#"{"url": "https://example.org/", "body": 1}"#, "'actions[0].http.body' must be a string, a list or a dictionary"),
    (#"{"url": "https://example.org/", "body": {"a": ["{x}"]}}"#, "has the unknown placeholder {x}"),
    (#"{"url": "https://example.org/", "bdy": "x"}"#, "'actions[0].http.bdy' is not a known key; did you mean 'body'?"),
  ])
  func `What it may not say is refused, and no header is quoted`(http: String, text: String) {
    let error = Self.error(of: http)
    #expect(error.contains(text) && !error.contains("secret"), "\(error)")
  }

  @Test func `An action has one effect`() {
    let both = #"{"title": "a", "actions": [{"id": "x", "url": "https://a.org/", "http": {"url": "https://a.org/"}}]}"#
    do {
      let _: NotificationRequest = try JSONReader.read(both).decode()
      Issue.record("taken")
    } catch {
      #expect("\(error)".contains("'actions[0].http' cannot be combined with 'url': an action has one effect"))
    }
  }

  @Test func `In the URL it is percent-encoded, and in JSON a part of a string`() throws {
    let call = try Self.filled(
      #"{"url": "https://example.org/{reply}?k={userInfo.k}#{id}", "body": {"{reply}": "x {reply}", "n": 1, "l": ["{userInfo.k}"]}}"#,
      reply: "a/../b\"}?&\r\nü")
    #expect(call.url == "https://example.org/a%2F..%2Fb%22%7D%3F%26%0D%0A%C3%BC?k=a%22b%0Ac%26d#i")
    guard case .dictionary(let body) = try JSONReader.read(try #require(call.bodyText)) else {
      throw RequestError("", "no dictionary")
    }
    // Keys are no templates.
    #expect(body.keys.sorted() == ["l", "n", "{reply}"])
    #expect(body["{reply}"] == .text("x a/../b\"}?&\r\nü") && body["n"] == .integer(1))
    #expect(body["l"] == .list([.text("a\"b\nc&d")]))
    #expect(call.bodyType == "application/json")
    let text = try Self.filled(#"{"url": "https://a.org/", "body": "{reply}{id}"}"#, reply: "{id}\n")
    #expect(text.bodyText == "{id}\ni" && text.bodyType == "text/plain; charset=utf-8")
    #expect(
      try Self.filled(#"{"url": "https://a.org/", "headers": {"content-type": "a/b"}, "body": "x"}"#).bodyType == nil)
  }

  @Test func `A value that is missing or too long is an error`() throws {
    #expect(throws: Template.Gap("userInfo has no 'z'")) {
      try Self.filled(#"{"url": "https://a.org/{userInfo.z}"}"#)
    }
    #expect(throws: Template.Gap("it would have more than 65536 bytes")) {
      try Self.filled(#"{"url": "https://a.org/", "body": ["{reply}"]}"#, reply: String(repeating: "x", count: 65_536))
    }
  }
}
