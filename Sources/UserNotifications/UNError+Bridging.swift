// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An `NSError` of the domain can be cast to the error, as one of Foundation's own domains can.
extension UNError: _ObjectiveCBridgeable {
  /// The error with its texts.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Wraps an error that must be of the domain.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout UNError?) {
    result = UNError(_nsError: source)
  }

  /// Wraps an error if it is of the domain.
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout UNError?) -> Bool {
    guard source.domain == UNErrorDomain else { return false }
    result = UNError(_nsError: source)
    return true
  }

  /// Wraps an error that must be of the domain; nil means an unknown one.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> UNError {
    UNError(_nsError: source ?? NSError(domain: UNErrorDomain, code: 0))
  }
}
