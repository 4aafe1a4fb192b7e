// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Decides what becomes of every request; lives on the loop, waits for nothing but events and the disk.
///
/// A request's way: `Center+Requests` takes it in and has it written down, the scheduler says when it is due,
/// `Center+Posting` brings it to the screen, `Center+Answers` hears what the user does with it. `Center+Restart` takes up
/// what an earlier run left.
actor Center {
  let connection: Connection
  let server: NotificationServerClient
  let listeners: Listeners
  let categories: Categories
  let apps: Apps
  let badges: Badges
  let doer: Doer
  let desktop: Desktop
  let patience: Patience
  let store: Store
  let journal: Journal
  let time: any TimeSource
  let zones: any ZoneSource
  let scheduler: Scheduler
  let upkeep: Upkeep
  var ledger = Ledger()
  var queue: PostQueue
  var burst: Burst
  /// The deliveries that have begun and not ended.
  var underWay: Set<Int64> = []
  /// What the server is and can do; nil while there is none.
  var serverState: ServerState?
  /// Whether what was on the screen before the center started has been looked at.
  var isRestored = false
  /// Signals about numbers that we do not know *yet*: a server may tell of a click before it answers `Notify`.
  var earlyEvents: [PostedNumber: [ServerEvent]] = [:]
  var isActivating = false
  var hasSaidAbsent = false
  /// The end of a pause, or the next question whether a hung server is there again.
  var nextAttempt: EventLoop.Deadline?
  var isProbing = false
  private var trimming: EventLoop.Deadline?
  /// Nothing more is posted.
  var isEnding = false
  /// Hears once that everything posted has been answered.
  var whenIdle: (() -> Void)?
  /// What is known of callers, and how much sandboxed apps have requested within ``Rights/span``.
  var callers = Callers()
  var recentRequests: [Identifier: [Duration]] = [:]
  var walks = ListingWalks()
  /// Whose requests are being taken in at the moment.
  var replacer: BusName?
  /// What apps in front are being asked about: it is pending until they answer.
  var presenting = Presenting()
  /// The callers whose call takes several turns, and what waits for its end.
  var longCalls: [BusName: [() -> Void]] = [:]
  /// What waits for the batch that is being stored; nil: none is.
  var waitingBatches: [() -> Void]?
  /// What the center itself has asked, and who wants to know the answer.
  var questions: [RequestKey: (Answer) -> Void] = [:]
  var lastQuestion = 0
  /// The apps about which the user is being asked, and who else wants to know the answer.
  var permissionQuestions: [Identifier: [(Bool?) -> Void]] = [:]
  /// What waits for the user's decision about sandboxed apps.
  var undecided = Undecided()
  /// The apps that have a dialog open.
  var dialogs = DialogTurns()
  /// The lists to choose from that are open.
  var lists: [PostedNumber: (key: RequestKey, task: Task<Void, Never>)] = [:]
  var handovers = Handovers()
  /// The handlers of apps that the user looks at.
  var appsInFront: [Identifier: BusName] = [:]
  /// The end of the longest wait for an app.
  var waitingAlarm: EventLoop.Deadline?
  private var lastResponse: UInt64

  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }
  nonisolated var loop: EventLoop { connection.loop }

  /// - Parameter memory: what outlasts the center; it must have been made on the connection's loop.
  init(
    on connection: Connection, memory: Memory, patience: Patience = .usual, burst: Int = Burst.usual,
    desktop: Desktop = Desktop()
  ) {
    self.connection = connection
    self.patience = patience
    self.burst = Burst(limit: burst)
    self.desktop = desktop
    store = memory.store
    time = memory.time
    zones = memory.zones
    journal = Journal(store: memory.store, time: memory.time)
    scheduler = Scheduler(store: memory.store, time: memory.time, zones: memory.zones)
    upkeep = Upkeep(store: memory.store, time: memory.time)
    queue = PostQueue(patience: patience)
    server = NotificationServerClient(on: connection, limits: patience.server)
    listeners = Listeners(on: connection)
    apps = Apps(store: memory.store)
    badges = Badges(store: memory.store, show: desktop.setBadge)
    categories = Categories(store: memory.store, files: CategoryFiles(folders: memory.categories))
    doer = Doer(
      loop: connection.loop, limit: patience.handler, grace: patience.handlerGrace, desktop: desktop)
    // For the time that responses cannot be written down: above every number that the store has given.
    let (seconds, attoseconds) = EventLoop.Clock.wall.now.components
    lastResponse = UInt64(max(0, seconds)) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
  }

  /// What outlasts the center, and what tells it the time.
  struct Memory: @unchecked Sendable {
    // @unchecked: made for one center, and used on its loop only.
    let store: Store
    let time: any TimeSource
    let zones: any ZoneSource
    /// Where files of categories are dropped.
    var categories: [String] = []
  }

  /// Exports the interface and listens to the notification server, until the connection is closed.
  func run(whenReady: @Sendable () async throws -> Void) async throws {
    try await connection.export(CenterInterface.table(of: self), at: CenterInterface.path)
    let events = try await server.events()
    await listeners.onGone { [weak self] caller in
      self?.assumeIsolated { center in
        center.callers.forget(caller)
        center.handlerLeft(caller)
      }
    }
    categories.begin(on: loop)
    // Before anybody can ask: what the last run left is then told as it is.
    try begin()
    try await whenReady()
    // Most of what a start needs is never needed again.
    trimming = loop.schedule(after: .seconds(11)) { ProcessMemory.trim() }
    for await event in events { receive(event) }
  }

  /// Writes what is still to be written, and lets go of the store.
  func end() {
    journal.flush()
    scheduler.end()
    upkeep.end()
    categories.end()
    waitingAlarm?.cancel()
    store.close()
  }

  /// Somebody says that the machine woke up, or that its clock or zone is another.
  func lookAtClocks() {
    zones.check()
    time.whenSet()
  }

  // MARK: Properties

  /// How many requests are not on the screen yet, as far as a caller may know.
  func pendingCount(for rights: Rights) -> Int {
    guard rights != .none else { return 0 }
    let app = rights.ownApp
    let asked = presenting.keys { key in app.map { key.app.isIdentical(to: $0) } ?? true }.count
    return ledger.pendingCount(of: app) + undecided.count(of: app) + asked
      + ((try? store.pendingCount(app: app)) ?? 0)
  }

  /// The notification server, for people; empty where there is none.
  var serverName: String {
    serverState.map { "\($0.information.name) \($0.information.version)" } ?? ""
  }

  var capabilities: [String] { serverState?.capabilities.map(\.rawValue).sorted() ?? [] }

  // MARK: Parts

  func nextResponse() -> UInt64 {
    lastResponse += 1
    return lastResponse
  }

  /// So many requests at once take far more memory than the center needs otherwise: it is given back when they are done.
  func trimMemory(after count: Int) {
    guard count >= Self.many else { return }
    trimming?.cancel()
    trimming = loop.schedule(after: .seconds(2)) { [weak self] in
      self?.assumeIsolated { center in
        if center.serverState == nil || center.queue.inFlight == 0 {
          ProcessMemory.trim()
        } else {
          center.trimMemory(after: count)
        }
      }
    }
  }

  private static let many = 200

  /// In the same turn as the change that it tells of: were it to wait, a click could be told before the delivery.
  @discardableResult
  func tell(_ event: CenterEvent, of app: String, except handler: BusName? = nil) -> Bool {
    listeners.assumeIsolated { $0.tell(event, of: app, except: handler) }
  }
}
