// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// How much sandboxed apps may request.
final class RequestQuota {
  /// From how many apps on those are forgotten that have not asked of late.
  private static let fewApps = 64

  private let store: Store
  private let journal: Journal
  /// When each app's requests of late were made.
  private var recent: [Identifier: [Duration]] = [:]

  init(store: Store, journal: Journal) {
    self.store = store
    self.journal = journal
  }

  /// How many apps are remembered.
  var appCount: Int { recent.count }

  /// Whether the app may make so many requests more; they count whether or not they are taken.
  func check(
    _ rights: Rights, _ count: Int, at now: Duration = EventLoop.Clock.monotonic.now
  ) throws(CenterError) {
    guard let app = rights.ownApp else { return }
    var recent = (recent[Identifier(app)] ?? []).filter { now - $0 < Rights.span }
    guard recent.count + count <= Rights.mostAtOnce else {
      throw CenterError(
        .limitExceeded, "at most \(Rights.mostAtOnce) requests in \(Rights.span.text) for sandboxed programs")
    }
    recent += Array(repeating: now, count: count)
    self.recent[Identifier(app)] = recent
    // Apps come and go.
    if self.recent.count > Self.fewApps {
      self.recent = self.recent.filter { now - ($0.value.last ?? .zero) < Rights.span }
    }
    // Requests that are not committed yet are among the recent ones.
    func isBeyond(_ more: Int) -> Bool { ((try? store.pendingCount(app: app)) ?? 0) + more > Rights.mostPending }
    if isBeyond(recent.count) { journal.flush() }
    guard !isBeyond(count) else {
      throw CenterError(.limitExceeded, "at most \(Rights.mostPending) pending requests for sandboxed programs")
    }
  }
}
