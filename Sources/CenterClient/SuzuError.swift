// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
package import DBus
package import NotificationModel

/// Why the center refused or could not handle a call.
public struct SuzuError: Error, Equatable, CustomStringConvertible {
  /// The code, for `switch`; new codes may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// From a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no session bus.
    public static let noBus = Code(rawValue: "noBus")
    /// There is no center, and the bus cannot start one.
    public static let noCenter = Code(rawValue: "noCenter")
    /// The request is invalid; the message says which key, and why.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
    /// There is no such notification or action.
    public static let notFound = Code(rawValue: "notFound")
    /// The request is too large, or there are too many.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The caller lacks the permission.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// The center is temporarily unable, or did not answer.
    public static let unavailable = Code(rawValue: "unavailable")
    /// The center ended before it answered; it may have carried the call out.
    public static let interrupted = Code(rawValue: "interrupted")
    /// Another program owns the name of the app on the bus: the app runs already.
    public static let nameTaken = Code(rawValue: "nameTaken")
    /// The task was cancelled. The center may have carried the call out, if it was sent before.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The error code.
  public let code: Code
  /// One line for the user.
  public let message: String

  /// One line for a log or a terminal.
  public var description: String { message }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package init(_ error: CallError) {
    switch error {
    case .refused(let refusal): self.init(refusal)
    case .failed(let failure): self.init(failure)
    }
  }

  package init(_ error: BusError) {
    switch error.code {
    case .noBus: self.init(.noBus, error.message)
    case .invalidValue: self.init(.invalidRequest, error.message)
    case .tooLarge: self.init(.limitExceeded, error.message)
    case .cancelled: self.init(.cancelled, error.message)
    default: self.init(.unavailable, error.message)
    }
  }

  private init(_ refusal: RemoteError) {
    if let code = RefusalCode(refusal.name) {
      self.init(refused: code, refusal.message)
      return
    }
    switch refusal.name.text {
    case ErrorName.limitsExceeded.text: self.init(.limitExceeded, refusal.message)
    case ErrorName.accessDenied.text: self.init(.accessDenied, refusal.message)
    case ErrorName.serviceUnknown.text, ErrorName.nameHasNoOwner.text:
      self.init(
        .noCenter, "the center is not running and the bus cannot start it; start 'suzud', or install Suzu completely")
    case ErrorName.noReply.text: self.init(.interrupted, "the center ended before it answered")
    case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"):
      self.init(.noCenter, "the bus could not start the center: \(refusal.message)")
    default: self.init(.unavailable, "\(refusal)")
    }
  }

  /// The error of a call that the center refuses.
  package init(refused code: RefusalCode, _ message: String) {
    switch code {
    case .invalidRequest, .inThePast, .unknownCategory: self.init(.invalidRequest, message)
    case .notFound: self.init(.notFound, message)
    case .limitExceeded: self.init(.limitExceeded, message)
    case .accessDenied: self.init(.accessDenied, message)
    case .unavailable: self.init(.unavailable, message)
    }
  }
}
