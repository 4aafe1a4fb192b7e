// SPDX-License-Identifier: Apache-2.0

/// How urgent a notification is.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// Needs no attention now.
  case passive
  /// The default.
  case active
  /// Needs attention now.
  case timeSensitive
  /// Must be seen, whatever the user does.
  case critical
}
