// SPDX-License-Identifier: Apache-2.0

/// How much the store keeps for one app. A sandboxed program has fixed quotas. Any other app may use a share of the
/// space that the others leave, so that no app can use up all of it.
public struct Quotas: Hashable, Sendable {
  /// The bytes of pending requests of a sandboxed program.
  package var boxedPendingBytes: Int64 = 8 << 20
  /// The number of its deliveries.
  package var boxedHistoryRows: Int64 = 1000
  /// The bytes of its history.
  package var boxedHistoryBytes: Int64 = 8 << 20
  /// The bytes of its replies.
  package var boxedReplyBytes: Int64 = 1 << 20

  /// The bytes of pending requests that all other apps share; one may use half of what the others leave.
  package var pendingBytes: Int64 = 4 << 30
  /// The number of deliveries that they share.
  package var historyRows: Int64 = 100_000
  /// The bytes of history that they share.
  package var historyBytes: Int64 = 1 << 30
  /// The bytes of replies that they share.
  package var replyBytes: Int64 = 64 << 20
  /// The number of deliveries that an app may always have, whatever the others use.
  package var leastHistoryRows: Int64 = 1000
  /// The bytes of history that an app may always have, whatever the others use.
  var leastHistoryBytes: Int64 = 8 << 20

  /// The default quotas.
  public init() {}

  /// The limits for one app.
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
