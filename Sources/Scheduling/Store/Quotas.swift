// SPDX-License-Identifier: Apache-2.0

/// How much is kept for one app. A sandboxed program has fixed quotas; any other has a share of what the others leave, so
/// that no app takes the room of the others.
public struct Quotas: Hashable, Sendable {
  /// How many bytes of pending requests a sandboxed program has.
  package var boxedPendingBytes: Int64 = 8 << 20
  /// How many deliveries.
  package var boxedHistoryRows: Int64 = 1000
  /// How many bytes of history.
  package var boxedHistoryBytes: Int64 = 8 << 20
  /// How many bytes of replies.
  package var boxedReplyBytes: Int64 = 1 << 20

  /// How many bytes of pending requests all other apps share: one may have half of what the others leave.
  package var pendingBytes: Int64 = 4 << 30
  /// How many deliveries they share.
  package var historyRows: Int64 = 100_000
  /// How many bytes of history they share.
  package var historyBytes: Int64 = 1 << 30
  /// How many bytes of replies they share.
  package var replyBytes: Int64 = 64 << 20
  /// How many deliveries one may have however many the others have.
  package var leastHistoryRows: Int64 = 1000
  /// How many bytes of history one may have however many the others have.
  var leastHistoryBytes: Int64 = 8 << 20

  /// The usual ones.
  public init() {}

  /// What an app may have.
  struct Limits {
    let pendingBytes: Int64
    let historyRows: Int64
    let historyBytes: Int64
    let replyBytes: Int64
  }

  func limits(of account: Account, total: Account) -> Limits {
    if account.isBoxed {
      return Limits(
        pendingBytes: boxedPendingBytes, historyRows: boxedHistoryRows, historyBytes: boxedHistoryBytes,
        replyBytes: boxedReplyBytes)
    }
    let others = total - account
    return Limits(
      pendingBytes: (pendingBytes - others.pendingBytes) / 2,
      historyRows: max(leastHistoryRows, (historyRows - others.historyRows) / 2),
      historyBytes: max(leastHistoryBytes, (historyBytes - others.historyBytes) / 2),
      replyBytes: max(boxedReplyBytes, (replyBytes - others.replyBytes) / 2))
  }
}
