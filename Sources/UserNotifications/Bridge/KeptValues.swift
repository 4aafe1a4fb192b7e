// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A property list that a value is kept as: in an archive, and in the request at the center.
struct KeptValues: Hashable, @unchecked Sendable {
  // @unchecked: property lists are values.

  /// The values by name, all of them property lists.
  private(set) var values: [String: Any]

  init() { values = [:] }

  /// Leaves out what is nil.
  init(_ values: [String: Any?]) { self.values = values.compactMapValues { $0 } }

  // MARK: Reading

  subscript(name: String) -> Bool? { (values[name] as? NSNumber)?.boolValue }
  func text(_ name: String) -> String? { values[name] as? String }
  func number(_ name: String) -> Double? { (values[name] as? NSNumber)?.doubleValue }
  func integer(_ name: String) -> Int? { (values[name] as? NSNumber)?.intValue }
  /// Nil for a negative number, which only a damaged or made-up archive has.
  func unsigned(_ name: String) -> UInt? { integer(name).flatMap { UInt(exactly: $0) } }
  func texts(_ name: String) -> [String]? { values[name] as? [String] }
  func values(_ name: String) -> KeptValues? { (values[name] as? [String: Any]).map { KeptValues($0) } }
  func list(_ name: String) -> [KeptValues]? { (values[name] as? [[String: Any]])?.map { KeptValues($0) } }

  // MARK: Comparing

  static func == (left: KeptValues, right: KeptValues) -> Bool {
    NSDictionary(dictionary: left.values).isEqual(NSDictionary(dictionary: right.values))
  }

  func hash(into hasher: inout Hasher) { for name in values.keys.sorted() { hasher.combine(name) } }

  // MARK: Archives

  private static let key = "values"

  init?(_ coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: Self.key) else { return nil }
    self.init(data: Data(referencing: data))
  }

  func encode(with coder: NSCoder) {
    if let data { coder.encode(NSData(data: data), forKey: Self.key) }
  }

  /// The binary form; nil if a value is no property list.
  var data: Data? { try? PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0) }

  init?(data: Data) {
    guard let read = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
      return nil
    }
    values = read
  }
}
