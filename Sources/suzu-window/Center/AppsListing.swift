// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Freedesktop
internal import Links
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// The apps at one moment: those with settings, with requests, and with links.
struct AppsListing: Sendable {
  private(set) var quiet = QuietFacts()
  private(set) var apps: [AppFacts] = []

  /// Reads it away from the main loop: there may be hundreds of apps.
  ///
  /// - Parameters:
  ///   - known: further apps.
  ///   - earlier: what was read before; names and dates that are in it are not asked for again.
  @concurrent static func read(
    from center: Center, with known: [String], after earlier: AppsListing
  ) async throws(SuzuError) -> AppsListing {
    var listing = AppsListing()
    listing.quiet = QuietFacts(try await center.quiet())
    var settings: [Identifier: AppSettings] = [:]
    for one in try await center.apps() { settings[Identifier(one.app)] = one }
    var quiet: [Identifier: QuietFacts] = [:]
    for report in try await center.quietApps() {
      if let app = report.app { quiet[Identifier(app)] = QuietFacts(report) }
    }
    var used: [Identifier: Instant] = [:]
    for row in try await center.history(limit: CenterListing.page).rows where used[Identifier(row.app)] == nil {
      used[Identifier(row.app)] = moment(of: row)
    }
    let links = links()
    var before: [Identifier: AppFacts] = [:]
    for app in earlier.apps { before[Identifier(app.id)] = app }
    let names = AppEntries()
    let all = Set(known.map { Identifier($0) }).union(settings.keys).union(quiet.keys).union(used.keys)
      .union(links.keys)
    for app in all.sorted() {
      var last = used[app] ?? before[app]?.lastUsed
      if last == nil, before[app] == nil {
        last = try await center.history(app: app.text, limit: 1).rows.first.flatMap(moment)
      }
      listing.apps.append(
        AppFacts(
          app.text, name: before[app]?.name ?? names.name(of: app.text), settings: settings[app],
          quiet: quiet[app] ?? QuietFacts(), lastUsed: last, links: links[app] ?? []))
    }
    return listing
  }

  private static func moment(of row: ListedRequest) -> Instant? {
    (row.shown ?? row.due ?? row.closed).flatMap { Instant(rfc3339: $0) }
  }

  /// The links to servers elsewhere, by the app of their notifications. They are files of the user, which the bus does
  /// not have.
  private static func links() -> [Identifier: [String]] {
    guard let folders = LinkFolders() else { return [:] }
    var links: [Identifier: [String]] = [:]
    for name in folders.names().links {
      guard let link = try? folders.definition(of: name) else { continue }
      let phase = RunningLock.isHeld(folders) ? LinkState.read(folders.state(of: name))?.phase : nil
      let text = "Link \(name.text): \(link.receives ? "messages" : "sends to") of \(link.server.text)/\(link.topic)"
      links[Identifier(link.app.text), default: []].append("\(text), \(phase?.rawValue ?? "not running")")
    }
    return links
  }
}

/// The names of apps in their desktop entries.
struct AppEntries: Sendable {
  private let applications: InstalledApplications
  private let languages: MessageLanguages

  init() {
    let environment = ChildProcess.inheritedEnvironment()
    applications = InstalledApplications(environment: environment)
    languages = MessageLanguages(environment: environment)
  }

  /// Returns nil for an app without a readable entry.
  func name(of app: String) -> String? {
    // That of the window, and of the whole product.
    if app == NotificationRequest.defaultApp { return nil }
    return ((try? applications.entry(app)) ?? nil)?.name?.text(in: languages)
  }
}

extension QuietFacts {
  init(_ report: QuietReport) {
    self.init(report.hours, limit: report.limit, end: report.end, held: report.held)
  }
}
