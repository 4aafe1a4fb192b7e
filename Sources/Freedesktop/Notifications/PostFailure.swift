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
  public nonisolated func post(
    _ notification: ServerNotification, replacing number: UInt32 = 0,
    whenLate: @escaping @Sendable (PostedNumber) -> Void
  ) throws(PostFailure) -> OpenPost {
    let begun = assumeIsolated { server in
      Result { () throws(CallError) in try server.begin(notification, replacing: number, whenLate: whenLate) }
    }
    do throws(CallError) {
      let sent = try begun.get()
      return OpenPost { () async throws(PostFailure) in
        do throws(CallError) { return try await self.number(of: sent) } catch { throw PostFailure(error) }
      }
    } catch {
      throw PostFailure(error)
    }
  }
}

/// A notification that was sent to the server.
public struct OpenPost: Sendable {
  /// Waits for the number that the server returns. For one reader.
  public let number: @Sendable () async throws(PostFailure) -> PostedNumber

  /// - Parameter number: waits for the number.
  public init(number: @escaping @Sendable () async throws(PostFailure) -> PostedNumber) { self.number = number }
}
