// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import Launcher
internal import NotificationModel

extension LauncherCommand {
  /// Registers the enabled actions in the place of the previous ones. Nothing is launched until the user clicks.
  func register(on loop: EventLoop) async throws {
    if let word = names.first { throw CommandError.usage("unexpected argument '\(word)'") }
    let delay: Duration
    do throws(RequestError) { delay = try Duration.parse(arguments.value("delay") ?? "5s") } catch {
      throw CommandError.data("'--delay' \(error.problem)")
    }
    let file = try readFile()
    let apps = catalogue(file).enabled(in: file)
    guard !apps.isEmpty else {
      throw CommandError.data("nothing is enabled; use 'suzu launcher enable'")
    }
    let registration: Registration
    do throws(LauncherError) {
      registration = try Registration(apps, each: arguments.has("each"), after: delay)
    } catch {
      throw CommandError(error)
    }
    let requests = registration.requests
    let missing = file.on.filter { key in !apps.contains { $0.items.contains { $0.key == key } } }
    if !missing.isEmpty {
      let keys = missing.map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: ", ")
      Console.warn("launcher", "skipped because they are no longer installed: \(keys)")
    }
    let center = try await Center.connect(on: loop)
    let app = NotificationRequest.launcherApp
    let search = StoredRequestSearch(center: center)
    let (pending, shown) = (
      try await Self.ids(of: app, in: .pending, search), try await Self.ids(of: app, in: .delivered, search)
    )
    // The old ones stay until the new ones are accepted.
    let ids = try await center.notify(requests).map(\.text)
    let outdated = registration.outdated(pending: pending, shown: shown, accepted: ids)
    if !outdated.pending.isEmpty { try await center.cancel(app: app, ids: outdated.pending) }
    if !outdated.shown.isEmpty { try await center.dismiss(app: app, ids: outdated.shown) }
    if arguments.has("json") {
      Console.print("[" + requests.map(\.json).joined(separator: ",\n ") + "]")
    } else {
      Console.print(ids.joined(separator: "\n"))
    }
  }
}

extension LauncherCommand {
  /// The ids of an app in a listing of the center.
  fileprivate static func ids(
    of app: String, in place: StoredRequestSearch.Place, _ search: StoredRequestSearch
  ) async throws(SuzuError) -> [String] {
    var ids: [String] = []
    var cursor: ListingCursor?
    repeat {
      let rows = try await search.page(place, app, after: cursor)
      ids += rows.map(\.id)
      cursor = rows.next
    } while cursor != nil
    return ids
  }
}
