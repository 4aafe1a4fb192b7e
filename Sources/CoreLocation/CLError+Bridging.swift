// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An `NSError` of the domain can be cast to the error, as one of Foundation's own domains can.
extension CLError: _ObjectiveCBridgeable {
  /// The error with its texts.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Wraps an error that must be of the domain.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CLError?) {
    result = CLError(_nsError: source)
  }

  /// Wraps an error if it is of the domain.
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout CLError?) -> Bool {
    guard source.domain == kCLErrorDomain else { return false }
    result = CLError(_nsError: source)
    return true
  }

  /// Wraps an error that must be of the domain; nil means an unknown one.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CLError {
    CLError(_nsError: source ?? NSError(domain: kCLErrorDomain, code: 0))
  }
}
