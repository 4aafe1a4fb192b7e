// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NotificationModel

/// What a `userInfo` may hold: property lists and nulls.
enum PropertyList {
  /// The form of a null, which property lists do not have.
  private static let null = [UNNotificationCategory.keptKey: "null"]

  /// The same values in the classes that Apple's system hands back: numbers are `NSNumber`, so that one that was given
  /// as an `Int` can be read as a `Double`. Throws a ``UNError`` that names the place of a value that is none.
  static func checked(_ userInfo: [AnyHashable: Any]) throws(UNError) -> [String: Any] {
    try checked(userInfo, at: "userInfo")
  }

  private static func checked(_ dictionary: [AnyHashable: Any], at place: String) throws(UNError) -> [String: Any] {
    var checked: [String: Any] = [:]
    for (key, value) in dictionary {
      guard let name = key.base as? String else {
        throw invalid("\(place) has the key \(key), which is a \(type(of: key.base)); keys must be strings")
      }
      checked[name] = try self.checked(value, at: "\(place)[\"\(name)\"]")
    }
    return checked
  }

  private static func checked(_ value: Any, at place: String) throws(UNError) -> Any {
    switch value {
    case let text as String: return text
    case let flag as Bool where isFlag(value): return NSNumber(value: flag)
    case let number as NSNumber: return number
    // Foundation of Linux does not take it for a number.
    case let number as CGFloat: return NSNumber(value: Double(number))
    case let data as Data: return data
    case let date as Date: return date
    case let list as [Any]:
      var checked: [Any] = []
      for (index, element) in list.enumerated() { checked.append(try self.checked(element, at: "\(place)[\(index)]")) }
      return checked
    case let dictionary as [AnyHashable: Any]: return try checked(dictionary, at: place)
    case is NSNull: return null
    // As at Apple, where a nil that was given as an `Any` becomes a null.
    case _ where isNil(value): return null
    default:
      throw invalid(
        "\(place) is a \(type(of: value)), which cannot be kept; use strings, numbers, dates, data, arrays and "
          + "dictionaries")
    }
  }

  private static func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  private static func invalid(_ why: String) -> UNError { UNError(.notificationInvalidNoContent, why) }

  /// The values as they come out of a binary property list, with the same classes.
  static func read(_ values: [String: Any]) -> [AnyHashable: Any] {
    Dictionary(uniqueKeysWithValues: values.map { (AnyHashable($0.key), read($0.value)) })
  }

  private static func read(_ value: Any) -> Any {
    switch value {
    case let flag as Bool where isFlag(value): NSNumber(value: flag)
    case let list as [Any]: list.map { read($0) }
    case let form as [String: String] where form == null: NSNull()
    case let dictionary as [AnyHashable: Any]:
      Dictionary(
        dictionary.compactMap { key, value in (key.base as? String).map { ($0, read(value)) } },
        uniquingKeysWith: { first, _ in first }) as [String: Any]
    default: value
    }
  }

  // MARK: The vocabulary of requests

  /// The value as other programs see it; nil if requests cannot hold it.
  static func plain(_ value: Any, depth: Int = 2) -> PlainValue? {
    switch value {
    case let text as String: return text.utf8.contains(0) ? nil : .text(text)
    case let flag as Bool where isFlag(value): return .flag(flag)
    case let number as NSNumber: return plain(number)
    case let list as [Any]:
      guard depth < PlainValue.deepestNesting else { return nil }
      let values = list.compactMap { plain($0, depth: depth + 1) }
      return values.count == list.count ? .list(values) : nil
    case let form as [String: String] where form == null: return nil
    case let dictionary as [String: Any]:
      guard depth < PlainValue.deepestNesting else { return nil }
      let values = dictionary.compactMapValues { plain($0, depth: depth + 1) }
      return values.count == dictionary.count ? .dictionary(values) : nil
    default: return nil
    }
  }

  private static func plain(_ number: NSNumber) -> PlainValue? {
    let double = number.doubleValue
    if isFloat(number) { return double.isFinite ? .number(double) : nil }
    return Int64(exactly: number).map { .integer($0) }
  }

  private static func isFloat(_ number: NSNumber) -> Bool {
    let type = number.objCType.pointee
    return type == Int8(UInt8(ascii: "d")) || type == Int8(UInt8(ascii: "f"))
  }

  /// Whether it is a flag and not a number: the number 1 can be cast to `true`.
  private static func isFlag(_ value: Any) -> Bool {
    type(of: value) == Bool.self || type(of: value) == type(of: NSNumber(value: true))
  }

  /// A value of a request of another program.
  static func value(_ value: PlainValue) -> Any {
    switch value {
    case .text(let text): text
    case .flag(let flag): NSNumber(value: flag)
    case .integer(let integer): NSNumber(value: integer)
    case .number(let number): NSNumber(value: number)
    case .list(let values): values.map { Self.value($0) }
    case .dictionary(let values): values.mapValues { Self.value($0) }
    }
  }
}

extension KeptValues {
  /// Values of the app; none if they are no property lists.
  init(checked values: [AnyHashable: Any]) { self.init((try? PropertyList.checked(values)) ?? [String: Any]()) }
}
