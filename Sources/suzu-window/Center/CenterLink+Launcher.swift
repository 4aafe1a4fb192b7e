// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Launcher
internal import NotificationModel

extension CenterLink {
  /// Registers actions in the place of those that were registered before; the old ones stay until the new ones are
  /// accepted.
  func register(_ registration: Registration) async throws(SuzuError) {
    try await Self.register(registration, at: try await connected())
    refresh()
  }

  @concurrent private static func register(_ registration: Registration, at center: Center) async throws(SuzuError) {
    let app = NotificationRequest.launcherApp
    var (pending, shown): ([String], [String]) = ([], [])
    var cursor: ListingCursor?
    repeat {
      let page = try await center.pending(app: app, after: cursor, limit: 1000)
      pending += page.rows.map(\.id)
      cursor = page.next
    } while cursor != nil
    repeat {
      let page = try await center.delivered(app: app, after: cursor, limit: 1000)
      shown += page.rows.map(\.id)
      cursor = page.next
    } while cursor != nil
    let accepted = try await center.notify(registration.requests).map(\.text)
    let outdated = registration.outdated(pending: pending, shown: shown, accepted: accepted)
    // Without ids, all of the app's would be.
    if !outdated.pending.isEmpty { try await center.cancel(app: app, ids: outdated.pending) }
    if !outdated.shown.isEmpty { try await center.dismiss(app: app, ids: outdated.shown) }
  }
}
