// SPDX-License-Identifier: Apache-2.0

/// How much a link accepts, whatever its server sends.
package struct LinkLimits: Hashable, Sendable {
  /// How many messages are passed on within a minute; more have to wait.
  package var messagesPerMinute = 60
  /// The longest message, as a line from the server; longer ones are left out.
  package var longestMessage = 16_384
  /// How many messages may wait for the center; then the link reads no further.
  package var mostPending = 64

  /// The usual limits.
  package init() {}

  /// What each may be.
  package static let messageRange = 1...6000
  package static let sizeRange = 1024...1_048_576
  package static let pendingRange = 1...1000
}
