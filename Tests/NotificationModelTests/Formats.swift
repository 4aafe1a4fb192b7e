// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import NotificationModel

/// The input formats of a request; each reads the same JSON text in its own way.
enum Format: String, CaseIterable {
  case command, json, foundationJSON, propertyList, foundationPropertyList, binaryPropertyList
  case foundationBinaryPropertyList, bus

  func decode<T: Decodable>(_ json: String, as type: T.Type = T.self) throws -> T {
    switch self {
    case .command:
      // `suzu notify --file` sends this form to the center.
      return try ValueDecoder().decode(type, from: ValueEncoder().encode(JSONReader.read(json)))
    case .json: return try JSONReader.read(json).decode()
    case .foundationJSON: return try JSONDecoder().decode(type, from: Data(json.utf8))
    case .propertyList: return try PropertyListReader.read([UInt8](Self.propertyList(json, .xml))).decode()
    case .binaryPropertyList: return try PropertyListReader.read([UInt8](Self.propertyList(json, .binary))).decode()
    case .foundationPropertyList: return try PropertyListDecoder().decode(type, from: Self.propertyList(json, .xml))
    case .foundationBinaryPropertyList:
      return try PropertyListDecoder().decode(type, from: Self.propertyList(json, .binary))
    case .bus: return try ValueDecoder().decode(type, from: Self.value(Self.object(json)))
    }
  }

  /// The error message in one line; nil if the request was accepted.
  func complaint(about json: String) -> String? {
    do {
      _ = try decode(json, as: NotificationRequest.self)
      return nil
    } catch let error as RequestError {
      return error.description
    } catch DecodingError.dataCorrupted(let context) where context.underlyingError is RequestError {
      return (context.underlyingError as? RequestError)?.description
    } catch {
      return "foreign: \(error)"
    }
  }

  /// A JSON text as untyped Foundation objects.
  private static func object(_ json: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
  }

  private static func propertyList(
    _ json: String, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: object(json), format: format, options: 0)
  }

  /// As an untyped binding would send it: narrow integers, and everything in variants.
  private static func value(_ object: Any) -> Value {
    switch object {
    case let number as NSNumber where String(cString: number.objCType) == "c": .boolean(number.boolValue)
    case let number as NSNumber where String(cString: number.objCType) == "d": .double(number.doubleValue)
    case let number as NSNumber:
      Int32(exactly: number.int64Value).map { .int32($0) } ?? .int64(number.int64Value)
    case let text as String: .string(text)
    case let list as [Any]: .array(of: .variant, list.map { .variant(value($0)) })
    case let dictionary as [String: Any]: .properties(dictionary.mapValues(value))
    default: fatalError("not of JSON: \(object)")
    }
  }
}
