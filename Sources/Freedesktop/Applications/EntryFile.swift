// SPDX-License-Identifier: Apache-2.0

/// The uninterpreted groups, keys and values of a desktop entry file.
///
/// Where the specification is silent, this follows GLib: repeated groups or keys are merged and the last value counts;
/// an unrecognized line invalidates the file. Bytes that are not UTF-8 invalidate only their own value, because old
/// translations contain them.
struct EntryFile {
  /// The size limit; the longest entry in Debian is a tenth of this.
  static let longest = 1 << 20
  /// The group that must come first.
  static let mainGroup = "Desktop Entry"

  private var groups: [String: [String: ArraySlice<UInt8>]] = [:]

  init(_ bytes: [UInt8]) throws(DesktopEntryError) {
    guard bytes.count <= Self.longest else {
      throw DesktopEntryError(.tooLarge, "longer than \(Self.longest) bytes")
    }
    guard !bytes.contains(0) else { throw DesktopEntryError(.malformed, "a NUL byte") }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var rest = bytes.starts(with: byteOrderMark) ? bytes[3...] : bytes[...]
    var number = 0
    var group: String?
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      var line = rest[..<end].drop(while: \.isBlank)
      // Accept CRLF lines. Other trailing blanks are part of the value.
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      rest = rest[end...].dropFirst()
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      if line.first == UInt8(ascii: "[") {
        group = try Self.groupName(line, number)
        guard groups[Self.mainGroup] != nil || group == Self.mainGroup else {
          throw DesktopEntryError(.malformed, "the first group is not '[\(Self.mainGroup)]'")
        }
        // Create the group, so that a group without keys exists as well.
        group.map { groups[$0, default: [:]].reserveCapacity(8) }
      } else {
        guard let group else { throw DesktopEntryError(.malformed, "line \(number) stands before the first group") }
        let (key, value) = try Self.pair(line, number)
        groups[group]?[key] = value
      }
    }
    guard !groups.isEmpty else { throw DesktopEntryError(.malformed, "no group '[\(Self.mainGroup)]'") }
  }

  private static func groupName(_ line: ArraySlice<UInt8>, _ number: Int) throws(DesktopEntryError) -> String {
    let line = line.trimmed
    let name = line.dropFirst().dropLast()
    guard line.last == UInt8(ascii: "]"), !name.isEmpty,
      name.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })
    else { throw DesktopEntryError(.malformed, "line \(number) is not the head of a group") }
    return String(decoding: name, as: UTF8.self)
  }

  private static func pair(
    _ line: ArraySlice<UInt8>, _ number: Int
  ) throws(DesktopEntryError) -> (String, ArraySlice<UInt8>) {
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
      throw DesktopEntryError(.malformed, "line \(number) is neither a comment, a group nor a key with its value")
    }
    let key = line[..<equals].trimmed
    guard !key.isEmpty else { throw DesktopEntryError(.malformed, "line \(number) has no key") }
    return (String(decoding: key, as: UTF8.self), line[(equals + 1)...].drop(while: \.isBlank))
  }

  // MARK: Values

  func hasGroup(_ group: String) -> Bool { groups[group] != nil }

  func hasKey(_ key: String) -> Bool { groups[Self.mainGroup]?[key] != nil }

  /// A `string` value with its escapes resolved.
  func text(_ key: String, in group: String = mainGroup) throws(DesktopEntryError) -> String? {
    guard let value = groups[group]?[key] else { return nil }
    guard let text = String(validating: Self.unescaped(value), as: UTF8.self) else {
      throw DesktopEntryError(.malformed, "the value of '\(key)' is not UTF-8")
    }
    return text
  }

  /// A `boolean` value; anything but true or false counts as false. Entries older than the specification use `1`.
  func flag(_ key: String) -> Bool {
    guard let value = groups[Self.mainGroup]?[key]?.trimmed else { return false }
    return value.elementsEqual("true".utf8) || value.elementsEqual("1".utf8)
  }

  /// A `string(s)` value: parts separated by semicolons, with `\;` for a literal one. Empty parts are dropped, and a
  /// list that is not UTF-8 counts as empty, so that it does not prevent a launch.
  func list(_ key: String) -> [String] {
    guard let value = groups[Self.mainGroup]?[key], String(validating: value, as: UTF8.self) != nil else { return [] }
    return Self.parts(of: value).filter { !$0.isEmpty }
      .map { String(decoding: Self.unescaped($0, isInList: true), as: UTF8.self) }
  }

  /// A `localestring` value: the text and its translations; translations that are not UTF-8 are dropped.
  func localizedText(_ key: String, in group: String = mainGroup) -> LocalizedText? {
    guard let keys = groups[group] else { return nil }
    var translations: [String: String] = [:]
    for (name, value) in keys where name.hasSuffix("]") && name.hasPrefix(key + "[") {
      let language = MessageLanguages.withoutEncoding(name.dropFirst(key.utf8.count + 1).dropLast())
      translations[language] = String(validating: Self.unescaped(value), as: UTF8.self)
    }
    let plain = keys[key].flatMap { String(validating: Self.unescaped($0), as: UTF8.self) }
    return plain == nil && translations.isEmpty ? nil : LocalizedText(plain: plain, translations: translations)
  }

  private static func parts(of value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = value.startIndex
    var isEscaped = false
    for index in value.indices {
      if value[index] == UInt8(ascii: ";"), !isEscaped {
        parts.append(value[start..<index])
        start = index + 1
      }
      isEscaped = value[index] == UInt8(ascii: "\\") && !isEscaped
    }
    return parts + [value[start...]]
  }

  /// Unknown escapes stay as they are: KDE does the same, and hand-written entries have `\$` in command lines where
  /// `\\$` was meant.
  private static func unescaped(_ value: ArraySlice<UInt8>, isInList: Bool = false) -> [UInt8] {
    guard value.contains(UInt8(ascii: "\\")) else { return Array(value) }
    var bytes: [UInt8] = []
    var rest = value
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escape = rest.popFirst() else { break }
      switch escape {
      case UInt8(ascii: "s"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
      case UInt8(ascii: ";") where isInList: bytes.append(UInt8(ascii: ";"))
      default: bytes += [byte, escape]
      }
    }
    return bytes
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension ArraySlice<UInt8> {
  /// The slice without surrounding blanks.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let end = lastIndex { !$0.isBlank }.map { $0 + 1 } ?? startIndex
    return self[..<end].drop(while: \.isBlank)
  }
}
