// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A call of a server that an action makes: the value of `http`. The program `suzu-link` makes it.
///
/// What is filled in stays in its place: in the URL it is percent-encoded, and in a body of JSON it is a part of a
/// string.
public struct HTTPCall: Hashable, Sendable {
  /// The method; new ones may come.
  public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// What is sent.
  public enum Body: Hashable, Sendable {
    /// A text, which is a ``Template``.
    case text(String)
    /// A list or a dictionary, whose strings, other than keys, are templates.
    case json(PlainValue)
  }

  /// The address, which is a ``Template`` behind the host.
  public var url: String
  /// The method.
  public var method: Method
  /// Headers of the request, without placeholders.
  public var headers: [String: String]
  /// What is sent; nil for nothing.
  public var body: Body?
  /// The link that has brought the call: it is made only while that link allows its host. Nil for one of this machine.
  package var link: String?

  /// Creates a call. It is checked when it becomes part of a request.
  public init(_ url: String, method: Method = .post, headers: [String: String] = [:], body: Body? = nil) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
  }

  /// The longest body with everything filled in, in bytes.
  package static let longestBody = 65_536
}

extension HTTPCall: Codable {
  private static let known = KnownKeys(["url", "method", "headers", "body", "link"])

  /// Decodes and checks the entry `http` of an action.
  public init(from decoder: any Decoder) throws {
    let fields = try RequestDecoder(of: decoder, known: Self.known)
    let url = try fields.required("url", try fields.parsed("url", Self.urlForm, Self.checkURL))
    self.init(url, method: try fields.choice("method", Method.self) ?? .post)
    let headers = try fields.dictionary("headers", "a dictionary of strings") ?? [:]
    guard headers.count <= HTTPHeader.most else {
      throw RequestError(fields.name("headers"), "must have at most \(HTTPHeader.most) entries, not \(headers.count)")
    }
    // In order, so that the same request always gets the same error.
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      guard case .text(let text) = value else {
        throw RequestError("\(fields.name("headers")).\(name)", "must be a string, not \(value.inAWord)")
      }
      do throws(RequestError) { try HTTPHeader.check(name, text) } catch { throw error.about(fields.name("headers")) }
      self.headers[name] = text
    }
    let value: PlainValue? = try fields.value("body", Self.bodyForm)
    body = try value.map { value throws(RequestError) in
      do throws(RequestError) { return try Self.body(value) } catch { throw error.about(fields.name("body")) }
    }
    link = try fields.parsed("link", "the name of a link") { text throws(RequestError) in try RequestID(text).text }
    if body != nil, method == .get { throw RequestError(fields.name("body"), "needs another method than GET") }
  }

  private static let urlForm =
    "a URL such as 'https://example.org/lights?on={reply}', at most 2048 bytes, without blanks"
  private static let bodyForm = "a string, a list or a dictionary"

  /// Without TLS, others could read and change what is sent; on this machine, there is no way on which they could.
  private static func checkURL(_ text: String) throws(RequestError) -> String {
    _ = try Template(text)
    guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }),
      text.utf8.count <= 2048,
      text.utf8.allSatisfy({ $0 > 32 && $0 != 127 })
    else { throw RequestError("", "must be \(urlForm), not \(text.quoted)") }
    let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.isEmpty, authority.utf8.allSatisfy({ !"@{}\\".utf8.contains($0) }) else {
      throw RequestError("", "must name its host, without a user and placeholders")
    }
    let host = authority.first == "[" ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    guard scheme == "https://" || ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased()) else {
      throw RequestError("", "must begin with 'https://', unless the server runs on this machine")
    }
    return text
  }

  private static func body(_ value: PlainValue) throws(RequestError) -> Body {
    guard value.json.utf8.count <= longestBody else {
      throw RequestError("", "must have at most \(longestBody) bytes")
    }
    switch value {
    case .text(let text):
      _ = try Template(text)
      return .text(text)
    case .list, .dictionary:
      for text in texts(in: value) { _ = try Template(text) }
      return .json(value)
    default: throw RequestError("", "must be \(bodyForm), not \(value.inAWord)")
    }
  }

  /// The strings in a value that are templates.
  private static func texts(in value: PlainValue) -> [String] {
    switch value {
    case .text(let text): [text]
    case .list(let values): values.flatMap { texts(in: $0) }
    case .dictionary(let values): values.sorted { $0.key < $1.key }.flatMap { texts(in: $0.value) }
    case .flag, .integer, .number: []
    }
  }

  /// Encodes the entry with the same keys.
  public func encode(to encoder: any Encoder) throws { try plain.encode(to: encoder) }

  /// The entry as keys and values, without defaults.
  public var plain: PlainValue {
    var words: [String: PlainValue] = ["url": .text(url)]
    if method != .post { words["method"] = .text(method.rawValue) }
    if !headers.isEmpty { words["headers"] = .dictionary(headers.mapValues { .text($0) }) }
    switch body {
    case .text(let text): words["body"] = .text(text)
    case .json(let value): words["body"] = value
    case nil: break
    }
    words["link"] = link.map { .text($0) }
    return .dictionary(words)
  }
}

extension HTTPCall {
  /// The host, for people.
  package var host: String {
    String(url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) })
  }

  /// All texts that are templates.
  package var templates: [String] {
    switch body {
    case .text(let text): [url, text]
    case .json(let value): [url] + Self.texts(in: value)
    case nil: [url]
    }
  }

  /// The call with each template replaced: the URL by one function, the others by another one.
  func mapped<Failure: Error>(
    url change: (String) throws(Failure) -> String, texts: (String) throws(Failure) -> String
  ) throws(Failure) -> HTTPCall {
    var call = self
    call.url = try change(url)
    switch body {
    case .text(let text): call.body = .text(try texts(text))
    case .json(let value): call.body = .json(try Self.mapped(value, texts))
    case nil: break
    }
    return call
  }

  private static func mapped<Failure: Error>(
    _ value: PlainValue, _ change: (String) throws(Failure) -> String
  ) throws(Failure) -> PlainValue {
    switch value {
    case .text(let text): return .text(try change(text))
    case .list(let values):
      var mapped: [PlainValue] = []
      for value in values { mapped.append(try Self.mapped(value, change)) }
      return .list(mapped)
    case .dictionary(let values):
      var mapped: [String: PlainValue] = [:]
      for (key, value) in values { mapped[key] = try Self.mapped(value, change) }
      return .dictionary(mapped)
    case .flag, .integer, .number: return value
    }
  }

  /// The call with everything filled in: its texts are no templates any more.
  package func filled(for response: Response, of request: NotificationRequest) throws(Template.Gap) -> HTTPCall {
    func fill(_ text: String, encode: (String) -> String) throws(Template.Gap) -> String {
      let template: Template
      // It was checked at intake.
      do throws(RequestError) { template = try Template(text) } catch { throw Template.Gap(error.problem) }
      return try template.filled(for: response, of: request, encode: encode)
    }
    let call = try mapped { url throws(Template.Gap) in
      try fill(url) { PercentCoding.encoded($0) }
    } texts: { text throws(Template.Gap) in
      try fill(text) { $0 }
    }
    guard call.url.utf8.count <= Self.longestBody, (call.bodyText ?? "").utf8.count <= Self.longestBody else {
      throw Template.Gap("it would have more than \(Self.longestBody) bytes")
    }
    return call
  }

  /// The body as it is sent.
  package var bodyText: String? {
    switch body {
    case .text(let text): text
    case .json(let value): value.json
    case nil: nil
    }
  }

  /// The type of the body, unless a header says it.
  package var bodyType: String? {
    guard !headers.keys.contains(where: { $0.lowercased() == "content-type" }) else { return nil }
    return switch body {
    case .text: "text/plain; charset=utf-8"
    case .json: "application/json"
    case nil: nil
    }
  }
}
