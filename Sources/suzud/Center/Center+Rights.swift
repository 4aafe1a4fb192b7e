// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Who calls, and what that allows.
extension Center {
  /// Asks the bus and the kernel once for each caller: a unique name is never given to another one.
  func rights(of caller: BusName) async -> Rights {
    if let known = knownRights[caller] { return known }
    if askingRights[caller] != nil {
      return await loop.withContinuation { continuation in
        askingRights[caller]?.append { continuation.resume(returning: $0) }
      }
    }
    askingRights[caller] = []
    let rights = await desktop.identify(caller)
    // Most come once: what is kept at hand is what saves asking the same one again.
    if knownRights.count >= 256 { knownRights = [:] }
    knownRights[caller] = rights
    for other in askingRights.removeValue(forKey: caller) ?? [] { other(rights) }
    return rights
  }

  /// Another bus gives the same names to others.
  func forgetCallers() { knownRights = [:] }

  // MARK: Quotas of sandboxed apps

  /// Whether the app may make so many requests more; they count whether or not they are taken.
  func checkQuota(_ rights: Rights, _ count: Int) throws(RemoteError) {
    guard let app = rights.ownApp else { return }
    let now = EventLoop.Clock.monotonic.now
    var recent = (recentRequests[Identifier(app)] ?? []).filter { now - $0 < Rights.span }
    guard recent.count + count <= Rights.mostAtOnce else {
      throw RemoteError(
        CenterInterface.limitExceeded,
        "at most \(Rights.mostAtOnce) requests in \(Rights.span.text) for sandboxed programs")
    }
    recent += Array(repeating: now, count: count)
    recentRequests[Identifier(app)] = recent
    // Apps come and go: those that have not asked of late are forgotten.
    if recentRequests.count > 64 {
      recentRequests = recentRequests.filter { now - ($0.value.last ?? .zero) < Rights.span }
    }
    journal.flush()
    guard ((try? store.pendingCount(app: app)) ?? 0) + count <= Rights.mostPending else {
      throw RemoteError(
        CenterInterface.limitExceeded, "at most \(Rights.mostPending) pending requests for sandboxed programs")
    }
  }

  /// A category that is anybody's may run what a sandboxed program may not.
  func checkCategory(_ category: String, of app: String, _ rights: Rights) throws(RemoteError) {
    guard rights != .all, let found = categories.category(category, of: app), !categories.isOwn(category, of: app)
    else { return }
    throw RemoteError(
      CenterInterface.unknownCategory,
      "'category' names '\(DisplayText.line(found.id))', which is not this program's own")
  }
}
