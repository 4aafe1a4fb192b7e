// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel
internal import Scheduling

extension CenterInterface {
  static func pushMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.push, bounds: .push) { _, app, payload, options, call in
        let rights = await center.rights(of: Caller(call.sender))
        try rights.checkIsKnown()
        return try await center.push(rights, from: Caller(call.sender)) {
          let app = try newAppName(app)
          try rights.check(app)
          return (AppID(trusted: app), try pushPayload(payload), try pushOptions(options, app, rights))
        }
      }
    ]
  }

  static func pushPayload(_ argument: Properties) throws(CenterError) -> PushPayload {
    do throws(RequestError) {
      guard case .dictionary(let words) = try PlainValue(pushed: argument.busValue, "") else {
        throw RequestError("", "a payload must be a dictionary")
      }
      return try PushPayload(words)
    } catch {
      throw CenterError(.invalidRequest, error.description)
    }
  }

  // MARK: Options

  private static let known: Set<String> = [
    "id", "collapse", "expires", "levels", "categories", "calls", "link", "answers", "icon", "image",
  ]
  /// How many names of categories a call may list.
  private static let mostCategories = 1000

  static func pushOptions(_ argument: Properties, _ app: String, _ rights: Rights) throws(CenterError)
    -> PushOptions
  {
    let words = argument.values
    if let unknown = words.keys.filter({ !known.contains($0) }).min() {
      throw CenterError(
        .invalidRequest,
        "'\(DisplayText.line(unknown))' is not a known option of Push: "
          + known.sorted().joined(separator: ", "))
    }
    for key in ["levels", "categories", "calls", "link", "answers", "icon", "image"] where words[key] != nil {
      try rights.checkAll("the option '\(key)'")
    }
    do throws(RequestError) {
      var options = PushOptions()
      options.id = try words["id"].map { value throws(RequestError) in
        RequestID(trusted: try name(value, "id")).text
      }
      options.collapse = try words["collapse"].map { value throws(RequestError) in
        let id = try name(value, "collapse")
        do throws(RequestError) { try ReservedID.checkIsFree(id, of: app) } catch { throw error.about("collapse") }
        return RequestID(trusted: id)
      }
      options.lapses = try words["expires"].flatMap { value throws(RequestError) in try date(value) }
      if let value = words["levels"] {
        var levels: Set<NotificationRequest.Level> = []
        for name in try names(value, "levels") { levels.insert(try PushTerms.level(name, of: "levels")) }
        options.terms.levels = levels
      }
      if let value = words["categories"] {
        options.terms.categories = Set(try names(value, "categories").map { Identifier($0) })
      }
      options.route = try route(words)
      options.terms.icon = try words["icon"].map { value throws(RequestError) in try picture(value, "icon") }
      options.terms.image = try words["image"].map { value throws(RequestError) in try picture(value, "image") }
      if let value = words["calls"] { options.terms.actions = try calls(value) }
      return options
    } catch {
      throw CenterError(.invalidRequest, error.description)
    }
  }

  /// Where the answer goes: over a link, to a place that only the link understands.
  private static func route(_ words: [String: Value]) throws(RequestError) -> AnswerRoute? {
    guard let place = words["answers"] else { return nil }
    guard let place = place.string, (1...1024).contains(place.utf8.count) else {
      throw RequestError("answers", "must be a string of 1 to 1024 bytes")
    }
    guard words["id"] != nil, let link = words["link"]?.string, (1...255).contains(link.utf8.count) else {
      throw RequestError("answers", "needs 'id' and 'link', the name of a link")
    }
    return AnswerRoute(link: link, place: place)
  }

  /// Buttons that call servers, and nothing else: their receiver has checked the hosts.
  private static func calls(_ value: Value) throws(RequestError) -> [Action] {
    guard let rows = value.elements, rows.count <= mostCalls else {
      throw RequestError("calls", "must be a list of at most \(mostCalls) dictionaries")
    }
    var actions: [Action] = []
    for (index, row) in rows.enumerated() {
      let place = "calls[\(index)]"
      guard let words = row.properties, Set(words.keys) == ["title", "http"], let title = words["title"]?.string,
        let call = words["http"]
      else { throw RequestError(place, "must be a dictionary with 'title' and 'http'") }
      let plain = try PlainValue(pushed: call, "http")
      do {
        actions.append(
          try PlainValue.dictionary(["id": .text("call-\(index + 1)"), "title": .text(title), "http": plain]).decode())
      } catch let error as RequestError {
        throw error.about(place)
      } catch {
        throw RequestError(place, "cannot be read")
      }
    }
    return actions
  }

  private static let mostCalls = 4

  /// A file that the receiver has written.
  private static func picture(_ value: Value, _ key: String) throws(RequestError) -> Picture {
    guard let path = value.string, case .file = Picture(path), path.utf8.count <= 4096 else {
      throw RequestError(key, "must be the absolute path of a file")
    }
    return Picture(path)
  }

  private static func name(_ value: Value, _ key: String) throws(RequestError) -> String {
    guard let text = value.string else { throw RequestError(key, "must be a string") }
    do throws(RequestError) { return try RequestID(text).text } catch { throw error.about(key) }
  }

  private static func names(_ value: Value, _ key: String) throws(RequestError) -> [String] {
    guard let names = value.strings, names.count <= mostCategories else {
      throw RequestError(key, "must be a list of at most \(mostCategories) strings")
    }
    return names
  }

  /// Seconds since 1970; 0 means no limit.
  private static func date(_ value: Value) throws(RequestError) -> Timestamp? {
    guard let seconds = value.integer, (0...latestEnd).contains(seconds) else {
      throw RequestError("expires", "must be in seconds since 1970, or 0 for never")
    }
    return seconds == 0 ? nil : Timestamp(milliseconds: seconds * 1000)
  }
}

extension PlainValue {
  /// A value of a payload; what JSON has no form for is refused. The bus does not let a message be nested too deep for
  /// the stack.
  fileprivate init(pushed value: Value, _ path: String) throws(RequestError) {
    switch value {
    case .string(let text): self = .text(text)
    case .boolean(let flag): self = .flag(flag)
    case .double(let number): self = .number(number)
    case .variant(let inside): self = try PlainValue(pushed: inside, path)
    case .array(_, let values):
      var list: [PlainValue] = []
      list.reserveCapacity(values.count)
      for value in values { list.append(try PlainValue(pushed: value, path)) }
      self = .list(list)
    case .dictionary(let dictionary):
      var words = [String: PlainValue](minimumCapacity: dictionary.entries.count)
      for entry in dictionary.entries {
        guard case .string(let key) = entry.key else { throw RequestError(path, "must have strings as keys") }
        let inner = try PlainValue(pushed: entry.value, key)
        guard words.updateValue(inner, forKey: key) == nil else { throw RequestError(key, "is there twice") }
      }
      self = .dictionary(words)
    case .unixFD, .structure, .bytes, .objectPath, .signature:
      throw RequestError(path, "must be a string, a number, a boolean, a list or a dictionary")
    default:
      guard let integer = value.integer else { throw RequestError(path, "must be at most \(Int64.max)") }
      self = .integer(integer)
    }
  }
}
