// SPDX-License-Identifier: Apache-2.0

// The subjects whose words need more than a name.
extension Condition {
  // MARK: Places and beacons

  static func place(_ words: inout ConditionWords) throws(RequestError) -> Subject {
    let example = "place 52.52,13.405 200m"
    guard let first = words.next, first.isQuoted || first.text != "for" else {
      throw words.missing("a name, or latitude, longitude and radius", example: example)
    }
    guard !first.isQuoted, looksLikePosition(first.text) else {
      return .place(.named(try words.name("a name", example: "place office")))
    }
    _ = words.take()
    let parts = first.text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]), abs(latitude) <= 90,
      abs(longitude) <= 180
    else {
      throw ConditionWords.error(
        "needs latitude and longitude in degrees, from -90 to 90 and from -180 to 180, not \(first.text.quoted)",
        at: first.column, example: example)
    }
    guard let radius = words.take() else { throw words.missing("the radius", example: example) }
    guard let metres = Self.metres(radius.text) else {
      let better = Self.metres(radius.text + "m").map { _ in "did you mean '\(radius.text)m'?" }
      throw ConditionWords.error(
        "needs a radius from 1m to 1000km, not \(radius.text.quoted)", at: radius.column,
        better ?? "for example \"\(example)\"")
    }
    return .place(.circle(latitude: latitude, longitude: longitude, radius: metres))
  }

  /// Whether a word without quotes is taken for latitude and longitude, and not for the name of a place.
  package static func looksLikePosition(_ word: String) -> Bool {
    word.first.map { $0.isNumber || "+-.".contains($0) } == true && word.contains(",")
  }

  private static func metres(_ text: String) -> Double? {
    let unit: Double = text.hasSuffix("km") ? 1000 : 1
    guard text.hasSuffix("m"), let number = Double(text.dropLast(unit == 1000 ? 2 : 1)) else { return nil }
    let metres = number * unit
    return 1...1_000_000 ~= metres ? metres : nil
  }

  static func beacon(_ words: inout ConditionWords) throws(RequestError) -> Subject {
    let example = "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1 2"
    let column = words.column
    let uuid = try words.name("the UUID", example: example).uppercased()
    let groups = uuid.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12], groups.joined().allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw ConditionWords.error("needs a UUID, not \(uuid.quoted)", at: column, example: example)
    }
    func number() throws(RequestError) -> Int? {
      guard let word = words.next, word.isQuoted || word.text != "for" else { return nil }
      _ = words.take()
      guard let number = Int(word.text), 0...65535 ~= number else {
        throw ConditionWords.error("needs an integer from 0 to 65535, not \(word.text.quoted)", at: word.column)
      }
      return number
    }
    let major = try number()
    return .beacon(Beacon(uuid: uuid, major: major, minor: major == nil ? nil : try number()))
  }

  // MARK: The battery

  static func battery(_ words: inout ConditionWords) throws(RequestError) -> BatteryLevel {
    let example = "battery < 20%"
    guard let first = words.take() else { throw words.missing("'<' or '>' and a percentage", example: example) }
    var text = first.text
    let isBelow: Bool
    switch text.first {
    case "<": isBelow = true
    case ">": isBelow = false
    default:
      let better = ["below": "<", "under": "<", "above": ">", "over": ">"][text.lowercased()]
      throw ConditionWords.error(
        "needs '<' or '>', not \(text.quoted)", at: first.column,
        better.map { "write '\($0)'" } ?? "for example \"\(example)\"")
    }
    text.removeFirst()
    var column = first.column + 1
    if text.isEmpty {
      column = words.column
      guard let next = words.take() else { throw words.missing("a percentage", example: example) }
      text = next.text
    }
    if text.first == "=" {
      throw ConditionWords.error("needs '<' or '>' without '='", at: column, example: example)
    }
    guard let percent = Int(text.last == "%" ? text.dropLast() : text[...]), 0...100 ~= percent else {
      throw ConditionWords.error("needs a percentage from 0% to 100%, not \(text.quoted)", at: column, example: example)
    }
    guard percent != (isBelow ? 0 : 100) else {
      throw ConditionWords.error("can never be true: a battery has from 0% to 100%", at: first.column)
    }
    return isBelow ? .below(percent) : .above(percent)
  }

  // MARK: Units, files and devices

  private static let unitKinds: Set<String> = [
    "service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope",
  ]

  static func unit(_ words: inout ConditionWords, isOfSystem: Bool) throws(RequestError) -> Subject {
    let example = "unit backup.service failed"
    let column = words.column
    let name = try words.name("the name of the unit", example: example)
    let isName =
      name.utf8.count <= 255 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":-_.\\@".contains($0)) }
    guard isName else {
      throw ConditionWords.error("needs the name of a unit, not \(name.quoted)", at: column, example: example)
    }
    guard let kind = name.split(separator: ".").last, name.contains("."), unitKinds.contains(String(kind)) else {
      throw ConditionWords.error(
        "needs the full name of the unit, not \(name.quoted)", at: column, "did you mean '\(name).service'?")
    }
    let states = Unit.State.allCases.map(\.rawValue)
    guard let word = words.next, word.isQuoted || word.text != "for" else {
      throw words.missing("the state of the unit", example: "unit \(name) failed")
    }
    _ = words.take()
    guard let state = Unit.State(rawValue: word.text) else {
      let others = [
        "running": "active", "started": "active", "stopped": "inactive", "dead": "inactive", "error": "failed",
      ]
      let better = others[word.text.lowercased()] ?? word.text.misspelling(ofOneOf: states)
      throw ConditionWords.error(
        "has the unknown state \(word.text.quoted)", at: word.column,
        better.map { "did you mean '\($0)'?" } ?? "known are \(states.joined(separator: ", "))")
    }
    return .unit(Unit(name: name, state: state, isOfSystem: isOfSystem))
  }

  static func file(_ words: inout ConditionWords) throws(RequestError) -> Subject {
    let column = words.column
    var path = try words.name("a path", example: "file /tmp/done")
    guard path.hasPrefix("/"), path.utf8.count < 4096, !path.split(separator: "/").contains("..") else {
      throw ConditionWords.error(
        "needs the whole path, from '/' on and without '..', not \(path.quoted)", at: column, example: "file /tmp/done")
    }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard path != "/" else { throw ConditionWords.error("is always true: '/' exists", at: column) }
    if let next = words.next, !next.isQuoted, next.text != "changes", next.text != "for",
      next.text.misspelling(ofOneOf: ["changes"]) != nil || ["change", "changed", "written"].contains(next.text)
    {
      throw ConditionWords.error(
        "has an unexpected \(next.text.quoted)", at: next.column, "did you mean 'changes'?")
    }
    return words.take("changes") ? .fileChange(path) : .file(path)
  }

  static func device(_ words: inout ConditionWords) throws(RequestError) -> Subject {
    let example = "device 'ID_VENDOR=Yubico'"
    let column = words.column
    let text = try words.name("a property of udev and its value", example: example)
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, parts[0].utf8.allSatisfy(\.isPropertyLetter) else {
      throw ConditionWords.error("needs NAME=VALUE, not \(text.quoted)", at: column, example: example)
    }
    return .device(property: parts[0], value: parts[1])
  }
}
