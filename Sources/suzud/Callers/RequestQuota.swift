// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Limits how much sandboxed apps may request.
final class RequestQuota {
  /// With more apps than this, those without recent requests are forgotten.
  private static let fewApps = 64

  private let store: Store
  /// The times of each app's recent requests.
  private var recent: [Identifier: [Duration]] = [:]
  /// How many requests of each app are being stored.
  private var inProgress: [Identifier: Int] = [:]

  init(store: Store) { self.store = store }

  /// How many apps are remembered.
  var appCount: Int { recent.count }

  /// Checks that the app may make `count` more requests; they count whether or not they are accepted. If it returns,
  /// ``end(_:_:)`` must follow.
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
    // Forgets apps without recent requests, so that the table does not grow without end.
    if self.recent.count > Self.fewApps {
      self.recent = self.recent.filter { now - ($0.value.last ?? .zero) < Rights.span }
    }
    let begun = inProgress[Identifier(app)] ?? 0
    let pending = (try? store.pendingCount(app: app)) ?? 0
    guard pending + begun + count <= Rights.mostPending else {
      throw CenterError(.limitExceeded, "at most \(Rights.mostPending) pending requests for sandboxed programs")
    }
    inProgress[Identifier(app)] = begun + count
  }

  /// `count` checked requests have been stored or refused.
  func end(_ rights: Rights, _ count: Int) {
    guard let app = rights.ownApp else { return }
    let rest = (inProgress[Identifier(app)] ?? 0) - count
    inProgress[Identifier(app)] = rest > 0 ? rest : nil
  }
}
