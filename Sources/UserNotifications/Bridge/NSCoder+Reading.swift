// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Coders that tests of apps write. Nothing else makes a ``UNNotification`` or a ``UNNotificationResponse`` for a test,
/// on Apple's systems too, so their coders answer `decodeObject(forKey:)` with the request, the action or nothing, and
/// subclasses override what is missing.
extension NSCoder {
  /// Whether it is no archive: values may be missing, and nothing but `decodeObject(forKey:)` is implemented.
  var isOfTest: Bool { !(self is NSKeyedUnarchiver) }

  /// Reads an object.
  func value<Value: NSObject & NSSecureCoding>(_ type: Value.Type, _ key: String) -> Value? {
    isOfTest ? decodeObject(forKey: key) as? Value : decodeObject(of: type, forKey: key)
  }

  /// Reads a text.
  func text(_ key: String) -> String? {
    isOfTest ? decodeObject(forKey: key) as? String : decodeObject(of: NSString.self, forKey: key).map { String($0) }
  }

  /// Makes what a test's coder does not have, with the same coder.
  func ofTest<Value>(_ make: (NSCoder) -> Value?) -> Value? { isOfTest ? make(self) : nil }
}
