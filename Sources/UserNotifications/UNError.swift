// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The domain of the errors of this module.
public let UNErrorDomain = "UNErrorDomain"

/// An error of a request, an attachment or the center.
public struct UNError: _BridgedStoredNSError {
  /// The error with its texts.
  public let _nsError: NSError

  /// Wraps an error of ``UNErrorDomain``.
  public init(_nsError error: NSError) {
    precondition(error.domain == UNErrorDomain, "an error of another domain")
    _nsError = error
  }

  /// The domain.
  public static var _nsErrorDomain: String { UNErrorDomain }
  /// The domain.
  public static var errorDomain: String { UNErrorDomain }
  /// The domain's hash.
  public var hashValue: Int { _nsError.hashValue }

  /// What is wrong.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    /// The error of such a code.
    public typealias _ErrorType = UNError

    /// The user does not allow it, or there is no center that could show notifications.
    case notificationsNotAllowed = 1
    /// The URL is not that of a file that can be read.
    case attachmentInvalidURL = 100
    /// The type of the file is not known.
    case attachmentUnrecognizedType = 101
    /// The file is too large.
    case attachmentInvalidFileSize = 102
    /// The file is not among the app's attachments.
    case attachmentNotInDataStore = 103
    /// The file could not be stored among the app's attachments.
    case attachmentMoveIntoDataStoreFailed = 104
    /// The file is damaged.
    case attachmentCorrupt = 105
    /// The trigger has no date that is still to come, or is not valid.
    case notificationInvalidNoDate = 1400
    /// The content is empty, or holds what cannot be kept.
    case notificationInvalidNoContent = 1401
    /// The provider cannot change this content.
    case contentProvidingObjectNotAllowed = 1500
    /// The provider is not valid.
    case contentProvidingInvalid = 1501
    /// The badge is not a number from 0 on.
    case badgeInputInvalid = 1600
  }

  /// The user does not allow it, or there is no center that could show notifications.
  public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
  /// The URL is not that of a file that can be read.
  public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
  /// The type of the file is not known.
  public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
  /// The file is too large.
  public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
  /// The file is not among the app's attachments.
  public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }
  /// The file could not be stored among the app's attachments.
  public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }
  /// The file is damaged.
  public static var attachmentCorrupt: Code { .attachmentCorrupt }
  /// The trigger has no date that is still to come, or is not valid.
  public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
  /// The content is empty, or holds what cannot be kept.
  public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
  /// The provider cannot change this content.
  public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }
  /// The provider is not valid.
  public static var contentProvidingInvalid: Code { .contentProvidingInvalid }
  /// The badge is not a number from 0 on.
  public static var badgeInputInvalid: Code { .badgeInputInvalid }

  /// With a sentence that says what is wrong, and the error behind it.
  init(_ code: Code, _ why: String, _ underlying: (any Error)? = nil) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: why]
    if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
    self.init(_nsError: NSError(domain: UNErrorDomain, code: code.rawValue, userInfo: userInfo))
  }
}
