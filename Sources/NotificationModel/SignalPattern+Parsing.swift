// SPDX-License-Identifier: Apache-2.0

extension Condition {
  private static let signalExample = "signal org.example.Printer.Done arg0=page"

  static func signal(_ words: inout ConditionWords, isOfSystem: Bool) throws(RequestError) -> Subject {
    let column = words.column
    let name = try words.name("the interface and the name of the signal", example: signalExample)
    if name.contains("*") {
      throw ConditionWords.error(
        "must name one signal: with '*', every message on the bus would wake the center", at: column,
        example: signalExample)
    }
    let elements = name.split(separator: ".", omittingEmptySubsequences: false)
    guard elements.count >= 3, elements.allSatisfy(isElement), name.utf8.count <= 255 else {
      throw ConditionWords.error("needs INTERFACE.MEMBER, not \(name.quoted)", at: column, example: signalExample)
    }
    var sender: String?
    var path: String?
    var arguments: [Int: String] = [:]
    while let word = words.next, word.isQuoted || word.text != "for" {
      if sender == nil, words.take("from") {
        sender = try Self.sender(&words)
      } else if path == nil, words.take("at") {
        path = try object(&words)
      } else if let (index, value) = argument(word.text), arguments[index] == nil {
        _ = words.take()
        arguments[index] = value
      } else {
        throw ConditionWords.error(
          "has an unexpected \(word.text.quoted)", at: word.column,
          "behind the signal come 'from NAME', 'at PATH' and 'arg0=VALUE', each once")
      }
    }
    let pattern = SignalPattern(
      interface: elements.dropLast().joined(separator: "."), member: String(elements[elements.count - 1]),
      sender: sender, path: path, arguments: arguments, isOfSystem: isOfSystem)
    try pattern.checkIsNarrow(at: column)
    return .signal(pattern)
  }

  private static func sender(_ words: inout ConditionWords) throws(RequestError) -> String {
    let column = words.column
    let name = try words.name(
      "the name of the sender", example: "signal org.example.Printer.Done from org.example.Printer")
    let elements = (name.hasPrefix(":") ? name.dropFirst() : name[...]).split(
      separator: ".", omittingEmptySubsequences: false)
    let isName =
      elements.count >= 2 && name.utf8.count <= 255
      && elements.allSatisfy { element in
        !element.isEmpty && element.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
          && (name.hasPrefix(":") || element.first?.isNumber == false)
      }
    guard isName else {
      throw ConditionWords.error("needs a name on the bus, not \(name.quoted)", at: column)
    }
    return name
  }

  private static func object(_ words: inout ConditionWords) throws(RequestError) -> String {
    let column = words.column
    let path = try words.name(
      "the path of an object", example: "signal org.example.Printer.Done at /org/example/Printer")
    let elements = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    let isPath =
      path == "/"
      || path.hasPrefix("/")
        && elements.allSatisfy { element in
          !element.isEmpty && element.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        }
    guard isPath else { throw ConditionWords.error("needs the path of an object, not \(path.quoted)", at: column) }
    return path
  }

  /// `arg0=VALUE`
  private static func argument(_ text: String) -> (Int, String)? {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("arg"), let index = Int(parts[0].dropFirst(3)), 0...63 ~= index,
      parts[0] == "arg\(index)"
    else { return nil }
    return (index, String(parts[1]))
  }

  private static func isElement(_ element: Substring) -> Bool {
    guard let first = element.first, !first.isNumber else { return false }
    return element.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}

extension Condition.SignalPattern {
  /// Signals that nearly every program sends.
  private static let common: Set<String> = [
    "org.freedesktop.DBus.Properties.PropertiesChanged", "org.freedesktop.DBus.NameOwnerChanged",
    "org.freedesktop.DBus.ObjectManager.InterfacesAdded", "org.freedesktop.DBus.ObjectManager.InterfacesRemoved",
  ]

  fileprivate func checkIsNarrow(at column: Int) throws(RequestError) {
    let isOfBus = interface == "org.freedesktop.DBus"
    let isNarrow = arguments.isEmpty == false || !isOfBus && (sender != nil || path != nil)
    guard !isNarrow, Self.common.contains("\(interface).\(member)") else { return }
    throw ConditionWords.error(
      "matches a signal that nearly every program sends, and would wake the center each time", at: column,
      isOfBus ? "add 'arg0=NAME'" : "add 'from NAME', 'at PATH' or 'arg0=VALUE'")
  }
}
