// SPDX-License-Identifier: Apache-2.0
internal import DBus

extension ServerNotification {
  /// A hint's value, in the types that clients send.
  public enum Hint: Hashable, Sendable {
    case string(String)
    case boolean(Bool)
    case byte(UInt8)
    case int32(Int32)
    case int64(Int64)
    case double(Double)

    fileprivate var value: Value {
      switch self {
      case .string(let text): .string(text)
      case .boolean(let flag): .boolean(flag)
      case .byte(let byte): .byte(byte)
      case .int32(let number): .int32(number)
      case .int64(let number): .int64(number)
      case .double(let number): .double(number)
      }
    }
  }

  /// Makes a notification whose hints have plain values.
  public init(
    appName: String, icon: String, summary: String, body: String, actions: [Action], plainHints: [String: Hint],
    expiry: Expiry
  ) {
    self.init(
      appName: appName, icon: icon, summary: summary, body: body, actions: actions,
      hints: plainHints.mapValues(\.value), expiry: expiry)
  }
}
