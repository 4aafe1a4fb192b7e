// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// Why a server did not show a notification, or did not start.
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

  /// The reason, in words.
  public var text: String {
    switch self {
    case .gone: "there is none"
    case .timedOut: "it does not answer"
    case .refused(let name, let message): message.isEmpty ? name : message
    }
  }

  /// The bus's errors for a peer that has disconnected.
  private static let namesOfGone: Set<ErrorName> = [.serviceUnknown, .nameHasNoOwner, .noReply]
}

extension NotificationServerClient {
  /// Asks the bus to start a server like ``activate()``; ``PostFailure/gone`` means that it has none to start.
  public func start() async throws(PostFailure) {
    do throws(CallError) { try await activate() } catch { throw PostFailure(error) }
  }

  /// Sends a notification like ``notify(_:replacing:whenLate:)``, but before it returns; says in terms of the server why
  /// that failed. Must be called on the loop's thread, and traps on any other.
  ///
  /// Unless this throws, `answered` is called once, on the loop: with the number before the server's next message is
  /// handled, so in the order of its answers; or with the reason why there is none.
  public nonisolated func post(
    _ notification: ServerNotification, replacing number: UInt32 = 0,
    answered: @escaping @Sendable (Result<PostedNumber, PostFailure>) -> Void,
    whenLate: @escaping @Sendable (PostedNumber) -> Void
  ) throws(PostFailure) {
    let sent = assumeIsolated { server in
      Result { () throws(CallError) in
        try server.send(
          notification, replacing: number, answered: { answered($0.mapError { PostFailure($0) }) }, whenLate: whenLate)
      }
    }
    do throws(CallError) { try sent.get() } catch { throw PostFailure(error) }
  }
}
