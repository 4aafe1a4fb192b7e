// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The domain of the errors of this module.
public let kCLErrorDomain = "kCLErrorDomain"

/// An error of the location.
public struct CLError: _BridgedStoredNSError {
  /// The error with its texts.
  public let _nsError: NSError

  /// Wraps an error of ``kCLErrorDomain``.
  public init(_nsError error: NSError) {
    precondition(error.domain == kCLErrorDomain, "an error of another domain")
    _nsError = error
  }

  /// The domain.
  public static var _nsErrorDomain: String { kCLErrorDomain }
  /// The domain.
  public static var errorDomain: String { kCLErrorDomain }
  /// The hash of the error.
  public var hashValue: Int { _nsError.hashValue }

  /// What is wrong.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error of such a code.
    public typealias _ErrorType = CLError

    /// The location is not known yet.
    case locationUnknown = 0
    /// The user does not allow it.
    case denied = 1
    /// A service could not be reached.
    case network = 2
    /// Regions cannot be watched: use a notification with a location trigger.
    case regionMonitoringDenied = 4
    /// The region cannot be watched.
    case regionMonitoringFailure = 5
  }

  /// The location is not known yet.
  public static var locationUnknown: Code { .locationUnknown }
  /// The user does not allow it.
  public static var denied: Code { .denied }
  /// A service could not be reached.
  public static var network: Code { .network }
  /// Regions cannot be watched: use a notification with a location trigger.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// The region cannot be watched.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }

  init(_ code: Code, _ why: String) {
    self.init(
      _nsError: NSError(domain: kCLErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: why]))
  }
}
