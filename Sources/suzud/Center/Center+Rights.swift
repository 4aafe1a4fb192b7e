// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Who calls, and what that allows, now and when what was asked for acts.
extension Center {
  /// Asks the bus and the kernel once for each caller.
  func rights(of caller: BusName) async -> Rights {
    while true {
      if let known = callers[caller] { return known }
      if callers.begin(caller) { return await identify(caller) }
      let found: Rights? = await loop.withContinuation { continuation in
        // The way here may have taken a turn, in which the identification ended.
        let isWaiting = callers.wait(for: caller) { continuation.resume(returning: $0) }
        if !isWaiting { continuation.resume(returning: nil) }
      }
      if let found { return found }
    }
  }

  private func identify(_ caller: BusName) async -> Rights {
    let generation = callers.generation
    let found = await desktop.identify(caller)
    let rights = callers.end(caller, found, began: generation)
    if callers.mustSweep() { _ = Task(executorPreference: loop) { await self.forgetLeavers() } }
    return rights
  }

  private func forgetLeavers() async {
    let generation = callers.generation
    guard let names = try? await connection.call(.toBus("ListNames")).first?.strings else { return }
    callers.keep(Set(names.compactMap { BusName($0) }), began: generation)
  }

  /// Another bus gives the same names to others.
  func forgetCallers() { callers.forgetAll() }

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
    // Requests that are not committed yet are among the recent ones.
    func isBeyond(_ more: Int) -> Bool { ((try? store.pendingCount(app: app)) ?? 0) + more > Rights.mostPending }
    if isBeyond(recent.count) { journal.flush() }
    guard !isBeyond(count) else {
      throw RemoteError(
        CenterInterface.limitExceeded, "at most \(Rights.mostPending) pending requests for sandboxed programs")
    }
  }

  // MARK: The center's own

  /// Ids that begin so are those of the center's own notifications: questions, and what stands for too many at once.
  private static let reservedPrefix = "dev.suzu."

  static func isReserved(_ id: String) -> Bool { id.utf8.starts(with: reservedPrefix.utf8) }

  /// Ids in the launcher's app are those of desktop entries, and Suzu has some of its own.
  ///
  /// - Parameter index: of the request, where it is one of several.
  static func checkIsFree(_ id: String, of app: String, in index: Int?) throws(RemoteError) {
    guard isReserved(id), app != NotificationRequest.launcherApp else { return }
    throw RemoteError(
      CenterInterface.invalidRequest,
      (index.map { "[\($0)]: " } ?? "")
        + "'id' must not begin with '\(reservedPrefix)', which the center keeps for its own notifications")
  }

  /// Whether a caller may take back, or from the screen, what has these ids.
  static func check(_ rights: Rights, touching ids: [String]) throws(RemoteError) {
    guard rights != .all, ids.contains(where: isReserved) else { return }
    throw RemoteError(
      CenterInterface.accessDenied, "notifications of the center ('\(reservedPrefix)…') are not for sandboxed programs")
  }

  // MARK: When it acts

  /// Why what the user chose may not be carried out; nil: it may. The last look, right before it acts, whatever was
  /// looked up, stored and waited for since the request came in.
  func refusal(of click: Click) -> String? {
    let rights = click.rights
    if rights == .all { return nil }
    do throws(RemoteError) {
      try rights.check(click.request.app)
      if !isGranted(click) { try rights.check(click.action) }
      return nil
    } catch {
      return error.message
    }
  }

  /// Whether the user put that very action into a category of the request's app alone, where it stands now.
  private func isGranted(_ click: Click) -> Bool {
    let category = click.request.category.flatMap {
      categories.category($0, of: click.request.app, for: click.rights)
    }
    return category?.actions.contains(click.action) == true
  }
}

extension Due {
  /// What the request may do.
  var rights: Rights { Rights(asker: asker) }
}
