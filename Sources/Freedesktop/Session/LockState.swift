// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// What one of those who may know says of the lock.
enum LockState {
  case locked
  case unlocked
  /// It is there, and did not say: it hangs, or answers with an error.
  case unknown
  /// It is not there, or has never heard of locks.
  case absent

  /// What a failed question means.
  ///
  /// Whoever is not there and whoever does not know the question must not lock the user out for ever. Everything else
  /// comes from somebody who ought to know, and then nobody may take the session for open.
  init(_ error: CallError) {
    switch error {
    case .refused(let refusal): self = Self.notThere.contains(refusal.name) ? .absent : .unknown
    case .failed: self = .unknown
    }
  }

  private static let notThere: Set<ErrorName> = [
    // Nobody has the name; `noReply`: it went away while we asked.
    .serviceUnknown, .nameHasNoOwner, .noReply,
    // It has another task: `org.freedesktop.ScreenSaver` is often owned by who only keeps the screen awake.
    .unknownObject, .unknownInterface, .unknownMethod, .unknownProperty, "org.freedesktop.DBus.Error.NotSupported",
    // Ours is no session of logind: a container, a service of the machine.
    "org.freedesktop.login1.NoSessionForPID", "org.freedesktop.login1.NoSuchUser",
    "org.freedesktop.login1.NoSuchSession",
  ]
}
