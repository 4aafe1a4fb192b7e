// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import CenterContract
internal import Glibc
internal import NotificationModel
internal import WindowModel

/// The center as the pages see it: what it has listed last, followed as it changes.
@MainLoop final class CenterLink {
  enum State: Equatable {
    case connecting, ready
    /// One sentence for the user.
    case failed(String)
  }

  private(set) var state = State.connecting
  private(set) var listing = CenterListing()
  /// Whether the center has changed, perhaps by this program, since the listing was read.
  private(set) var isBehind = false
  /// Called when the state or the listing has changed.
  var onChange: @MainLoop () -> Void = {}

  /// Called with each sign of the center, also if the listing is the same.
  var onSign: @MainLoop () -> Void = {}

  private var center: Center?
  /// How many rows the pages want to show.
  private var wanted = CenterListing.page
  private var isStale = false
  private var isReading = false
  private var isReadingMore = false
  private var isFarStale = false
  private var isReadingFar = false

  // MARK: Following

  /// Follows the center for as long as the program runs.
  func run() async {
    var failures = 0
    while true {
      do throws(SuzuError) {
        let center = try await connected()
        let signs = try await center.signs()
        try await read(from: center)
        failures = 0
        for await _ in signs { refresh() }
        // The center has ended: the next call starts another one.
      } catch {
        failures += 1
        fail(error)
      }
      await MainLoop.pause(milliseconds: min(4000, 200 << UInt32(min(failures, 5))))
    }
  }

  /// The connection, which is made with the first call.
  func connected() async throws(SuzuError) -> Center {
    if let center { return center }
    let center = try await Center.connect()
    self.center = center
    return center
  }

  private func fail(_ error: SuzuError) {
    let text =
      switch error.code {
      case .noBus: "There is no session bus, so the notification center cannot be reached: \(error.message)"
      default: "The notification center cannot be reached: \(error.message)"
      }
    if state == .failed(text) { return }
    state = .failed(text)
    // Without a session bus, no screen reader reads the page.
    if error.code == .noBus {
      _ = "suzu-window: no session bus: \(error.message)\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
    onChange()
  }

  /// Reads the lists again. Many changes in a row are read together.
  func refresh() {
    (isStale, isBehind) = (true, true)
    if isReading { return }
    isReading = true
    Task {
      while isStale, let center {
        isStale = false
        // An error ends the signals as well, and then this begins anew.
        do throws(SuzuError) { try await read(from: center) } catch { break }
        await MainLoop.pause(milliseconds: 30)
      }
      isReading = false
    }
  }

  private func read(from center: Center) async throws(SuzuError) {
    onSign()
    var listing = try await CenterListing.read(from: center, rows: wanted)
    // Another change may have come meanwhile.
    if !isStale { isBehind = false }
    if listing.hasMore { listing.far = self.listing.far }
    show(listing)
    if listing.hasMore { readFar() }
  }

  private func show(_ listing: CenterListing) {
    if state == .ready, listing == self.listing { return }
    state = .ready
    self.listing = listing
    onChange()
  }

  /// Reads more rows, if there are any: the user has scrolled towards the end.
  func wantMore() {
    guard listing.hasMore, !isReadingMore, let center else { return }
    isReadingMore = true
    let earlier = listing
    Task {
      // An error ends the signals as well, and then everything is read again.
      if let more = try? await CenterListing.more(of: earlier, from: center) {
        wanted = max(wanted, more.rows.count)
        // It may have been read again meanwhile, with fewer rows.
        if listing == earlier { show(more) } else { refresh() }
      }
      isReadingMore = false
    }
  }

  /// Reads what is behind the rows, at most once a second: with a hundred thousand requests that takes a while.
  private func readFar() {
    isFarStale = true
    if isReadingFar { return }
    isReadingFar = true
    Task {
      while isFarStale, let center, let end = listing.end {
        isFarStale = false
        guard let far = try? await CenterListing.far(behind: end, of: center) else { break }
        var listing = listing
        listing.far = listing.hasMore ? far : []
        show(listing)
        await MainLoop.pause(milliseconds: 1000)
      }
      isReadingFar = false
    }
  }

  // MARK: Asking

  /// The next dates of a request, in seconds since 1970.
  func next(_ request: NotificationRequest, count: Int) async throws(SuzuError) -> [Int64] {
    try await connected().next(request, count: count)
  }

  /// What has come, the latest first: at least that many rows, if there are so many.
  func history(search: String, rows wanted: Int) async throws(SuzuError) -> ListedPage {
    try await CenterListing.history(from: try await connected(), search: search, rows: wanted)
  }

  func notify(_ request: NotificationRequest) async throws(SuzuError) {
    try await connected().notify(request)
    refresh()
  }

  func notify(_ words: [String: PlainValue]) async throws(SuzuError) {
    try await connected().notify(words)
    refresh()
  }

  func cancel(_ name: RequestName) async throws(SuzuError) {
    try await connected().cancel(app: name.app, ids: [name.id])
    // Its id may be used again, by a request that is to be shown.
    if listing.muted.contains(name), let id = try? RequestID(name.id), let app = try? AppID(name.app) {
      try await connected().unmute(id, of: app)
    }
    refresh()
  }

  /// Presses a button of a notification that is on the screen.
  func respond(_ name: RequestName, _ action: String) async throws(SuzuError) {
    try await connected().respond(app: name.app, id: name.id, action: action)
    refresh()
  }

  /// The name of the notification server, which is empty if there is none, and whether it shows more of a text than its
  /// title; nil if it has not been started yet.
  func server() async throws(SuzuError) -> (name: String, showsBody: Bool)? {
    let center = try await connected()
    let server = try await center.server()
    if !server.name.isEmpty { return server }
    return try await center.serverStatus() == .present ? nil : server
  }

  /// Switches a request off or on.
  func mute(_ name: RequestName, _ isMuted: Bool) async throws(SuzuError) {
    guard let id = try? RequestID(name.id), let app = try? AppID(name.app) else { return }
    if isMuted {
      // The last second of the year 9999.
      try await connected().mute(Mute(id, of: app, until: 253_402_300_799))
    } else {
      try await connected().unmute(id, of: app)
    }
    refresh()
  }
}
