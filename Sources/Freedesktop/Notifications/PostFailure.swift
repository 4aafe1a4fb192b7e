// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// Why a server did not show a notification.
public enum PostFailure: Error, Equatable, Sendable {
  /// The server ended before or during the call, or the bus is gone.
  case gone
  /// The server did not answer in time. It may answer yet.
  case timedOut
  /// The server refused, or answered without a number; with the name and the text of the error.
  case refused(name: String, message: String)

  init(_ error: CallError) {
    switch error {
    case .refused(let refusal) where Self.namesOfGone.contains(refusal.name): self = .gone
    case .refused(let refusal): self = .refused(name: refusal.name.text, message: refusal.message)
    case .failed(let failure):
      switch failure.code {
      case .timedOut: self = .timedOut
      case .disconnected, .closed, .cancelled: self = .gone
      default: self = .refused(name: ErrorName.failed.text, message: failure.message)
      }
    }
  }

  /// The bus's errors for a peer that has disconnected.
  private static let namesOfGone: Set<ErrorName> = [.serviceUnknown, .nameHasNoOwner, .noReply]
}

extension NotificationServerClient {
  /// Shows a notification like ``notify(_:replacing:whenLate:)``, and says in terms of the server why it failed.
  public func post(
    _ notification: ServerNotification, replacing number: UInt32 = 0,
    whenLate: @escaping @Sendable (PostedNumber) -> Void
  ) async throws(PostFailure) -> PostedNumber {
    do throws(CallError) {
      return try await notify(notification, replacing: number, whenLate: whenLate)
    } catch {
      throw PostFailure(error)
    }
  }
}
