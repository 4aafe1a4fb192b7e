// SPDX-License-Identifier: Apache-2.0

/// Notices that the state of the lock may have changed. One is enough for any number of changes, because one query
/// follows.
struct LockNotices: Sendable {
  /// The notices, for one reader.
  let all: AsyncStream<Void>
  private let notice: AsyncStream<Void>.Continuation

  init() { (all, notice) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  @Sendable func put() { notice.yield() }
}
