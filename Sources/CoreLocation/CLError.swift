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
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error of such a code.
    public typealias _ErrorType = CLError

    /// The location is not known yet.
    case locationUnknown = 0
    /// The user does not allow it.
    case denied
    /// A service could not be reached.
    case network
    /// The direction is not known. Never on Linux.
    case headingFailure
    /// Regions cannot be watched: use a notification with a location trigger.
    case regionMonitoringDenied
    /// The region cannot be watched.
    case regionMonitoringFailure
    /// Watching a region begins later. Never on Linux.
    case regionMonitoringSetupDelayed
    /// What happens at a region is told later. Never on Linux.
    case regionMonitoringResponseDelayed
    /// The address is not known. Never on Linux.
    case geocodeFoundNoResult
    /// The address is partly known. Never on Linux.
    case geocodeFoundPartialResult
    /// The search for an address was cancelled. Never on Linux.
    case geocodeCanceled
    /// Updates cannot be collected. Never on Linux.
    case deferredFailed
    /// Updates are not running. Never on Linux.
    case deferredNotUpdatingLocation
    /// The accuracy is too low to collect updates. Never on Linux.
    case deferredAccuracyTooLow
    /// Updates with a distance cannot be collected. Never on Linux.
    case deferredDistanceFiltered
    /// Other updates are collected now. Never on Linux.
    case deferredCanceled
    /// The distance to beacons cannot be measured.
    case rangingUnavailable
    /// The distance to a beacon could not be measured. Never on Linux.
    case rangingFailure
    /// The user was not asked. Never on Linux.
    case promptDeclined
    /// Older locations are not known. Never on Linux.
    case historicalLocationError
  }

  /// The location is not known yet.
  public static var locationUnknown: Code { .locationUnknown }
  /// The user does not allow it.
  public static var denied: Code { .denied }
  /// A service could not be reached.
  public static var network: Code { .network }
  /// The direction is not known. Never on Linux.
  public static var headingFailure: Code { .headingFailure }
  /// Regions cannot be watched: use a notification with a location trigger.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// The region cannot be watched.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// Watching a region begins later. Never on Linux.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// What happens at a region is told later. Never on Linux.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// The address is not known. Never on Linux.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// The address is partly known. Never on Linux.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The search for an address was cancelled. Never on Linux.
  public static var geocodeCanceled: Code { .geocodeCanceled }
  /// Updates cannot be collected. Never on Linux.
  public static var deferredFailed: Code { .deferredFailed }
  /// Updates are not running. Never on Linux.
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  /// The accuracy is too low to collect updates. Never on Linux.
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  /// Updates with a distance cannot be collected. Never on Linux.
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  /// Other updates are collected now. Never on Linux.
  public static var deferredCanceled: Code { .deferredCanceled }
  /// The distance to beacons cannot be measured.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// The distance to a beacon could not be measured. Never on Linux.
  public static var rangingFailure: Code { .rangingFailure }
  /// The user was not asked. Never on Linux.
  public static var promptDeclined: Code { .promptDeclined }
  /// Older locations are not known. Never on Linux.
  public static var historicalLocationError: Code { .historicalLocationError }

  init(_ code: Code, _ why: String) {
    self.init(
      _nsError: NSError(domain: kCLErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: why]))
  }
}
