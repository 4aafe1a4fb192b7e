// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// The answer of one source about the lock.
enum LockState {
  case locked
  case unlocked
  /// The source exists but gave no answer: it hangs, or returned an error.
  case unknown
  /// The source does not exist, or does not support locks.
  case absent

  /// Interprets a failed query.
  ///
  /// A source that does not exist or does not know the method must not lock the user out for ever. Any other failure
  /// comes from a source that should know the state, so the session must not count as unlocked.
  init(_ error: CallError) {
    switch error {
    case .refused(let refusal): self = Self.notThere.contains(refusal.name) ? .absent : .unknown
    case .failed: self = .unknown
    }
  }

  private static let notThere: Set<ErrorName> = [
    // The name has no owner; `noReply`: the owner disconnected during the query.
    .serviceUnknown, .nameHasNoOwner, .noReply,
    // The owner has another purpose: `org.freedesktop.ScreenSaver` often belongs to a program that only keeps the
    // screen awake.
    .unknownObject, .unknownInterface, .unknownMethod, .unknownProperty, "org.freedesktop.DBus.Error.NotSupported",
    // We are not in a session of logind: a container, or a system service.
    "org.freedesktop.login1.NoSessionForPID", "org.freedesktop.login1.NoSuchUser",
    "org.freedesktop.login1.NoSuchSession",
  ]
}
