// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop

/// The desktop's notification server, as its client sees it.
///
///     let server = NotificationServerClient(on: connection)
///     for await event in try await server.events() { … }
///
/// Accepts signals only from the current owner of the name, because any program on the bus can send them.
public actor NotificationServerClient {
  private let connection: Connection
  /// The connection's loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  /// The current server; nil if there is none, or it has not reported its capabilities yet.
  public private(set) var state: ServerState?

  /// Time limits for the server.
  public struct Limits: Sendable {
    /// The limit for `Notify` and `CloseNotification`.
    public var posting: Duration = .seconds(5)
    /// The limit for queries.
    public var asking: Duration = .seconds(2)
    /// The pause before querying a new server again after a timeout.
    package var askingAgain: Duration = .seconds(5)
    /// How long a new server may refuse all queries before the refusals are believed.
    package var refusing: Duration = .seconds(5)

    /// The default limits.
    public init() {}
  }

  private let limits: Limits
  /// The owner of the name, possibly not queried yet.
  private var owner: BusName?
  /// Events received before the server was queried: no click may be lost at startup.
  private var early: [ServerEvent] = []
  /// Far more clicks than a user makes during the first queries.
  private static let mostEarly = 10_000
  private var lastNotify: LastNotify?
  private var following: SignalWatch?
  private var introduction: Task<Void, Never>?
  /// Receives the events.
  private var tell: @Sendable (ServerEvent) -> Void = { _ in }
  /// Learns that no more events follow.
  private var tellEnd: @Sendable () -> Void = {}

  /// A client of the server on that bus.
  public init(on connection: Connection, limits: Limits = Limits()) {
    self.connection = connection
    self.limits = limits
  }

  // MARK: Events

  /// Events from now on; the first event says whether there is a server. For one reader.
  ///
  /// The sequence ends with the connection, or when this method or ``follow(tell:end:)`` is called again.
  public func events() async throws(CallError) -> AsyncStream<ServerEvent> {
    let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
    try await follow {
      continuation.yield($0)
    } end: {
      continuation.finish()
    }
    let following = following
    continuation.onTermination = { _ in following?.cancel() }
    return events
  }

  /// Calls `tell` with the same events on the connection's loop, each before the next message is handled: a click must
  /// not wait behind other work. Replaces an earlier reader of this method or of ``events()``.
  ///
  /// - Parameter end: called once when no more events follow.
  public func follow(
    tell: @escaping @Sendable (ServerEvent) -> Void, end: @escaping @Sendable () -> Void = {}
  ) async throws(CallError) {
    following = nil
    ended()
    self.tell = tell
    tellEnd = end
    following = try await connection.follow(NotificationsBus.name, NotificationsBus.path, NotificationsBus.interface) {
      [weak self] news in
      self?.assumeIsolated { $0.receive(news) }
    } end: { [weak self] in
      self?.assumeIsolated { $0.ended() }
    }
  }

  private func receive(_ news: PeerEvent) {
    switch news {
    case .owner(let owner):
      introduction?.cancel()
      // Also when the owner changes directly: the old server's numbers become void first.
      if state != nil || owner == nil { tell(.vanished) }
      state = nil
      self.owner = owner
      early = []
      introduction = owner.map { owner in
        Task(executorPreference: connection.loop) { await self.introduce(owner) }
      }
    case .signal(let signal):
      guard let sender = signal.sender, sender == owner, let event = Self.event(signal, from: sender) else { return }
      if state != nil {
        tell(event)
      } else if early.count < Self.mostEarly {
        early.append(event)
      }
    }
  }

  private func ended() {
    introduction?.cancel()
    state = nil
    tellEnd()
    tellEnd = {}
  }

  /// Runs beside the events, because an owner that hangs must not hide the next one.
  private func introduce(_ owner: BusName) async {
    guard let described = await describe(owner), !Task.isCancelled else { return }
    state = described
    tell(.appeared(described))
    for event in early { tell(event) }
    early = []
  }

  static func event(_ signal: Signal, from server: BusName) -> ServerEvent? {
    func posted(_ number: UInt32) -> PostedNumber { PostedNumber(server: server, number: number) }
    if let (number, key) = signal.arguments(as: NotificationsBus.actionInvoked) {
      return .actionInvoked(posted(number), key: key)
    }
    if let (number, token) = signal.arguments(as: NotificationsBus.activationToken) {
      return .activationToken(posted(number), token: token)
    }
    if let (number, text) = signal.arguments(as: NotificationsBus.notificationReplied) {
      return .replied(posted(number), text: text)
    }
    if let (number, reason) = signal.arguments(as: NotificationsBus.notificationClosed) {
      return .closed(posted(number), ClosedReason(rawValue: reason) ?? .undefined)
    }
    return nil
  }

  // MARK: Queries

  /// Queries the properties of `owner`, and tries again if it is slow to answer. Returns nil if it is gone: the next
  /// owner triggers its own query.
  private func describe(_ owner: BusName) async -> ServerState? {
    // GNOME Shell 43 owns its name a second or more before it answers queries. Believing its refusals would hide all
    // buttons for the rest of the session.
    var pause = Self.firstPause
    var refused: Duration = .zero
    while !Task.isCancelled {
      do throws(CallError) {
        if let state = try await state(of: owner, believingRefusals: refused >= limits.refusing) { return state }
        try? await connection.loop.sleep(for: pause)
        refused += pause
        pause *= 2
      } catch {
        guard error.failureCode == .timedOut else { return nil }
        try? await connection.loop.sleep(for: limits.askingAgain)
      }
    }
    return nil
  }

  private static let firstPause: Duration = .milliseconds(50)

  /// Returns nil if the server refuses every query and that is not believed yet. A server that answers one is ready.
  private func state(of owner: BusName, believingRefusals: Bool) async throws(CallError) -> ServerState? {
    var information = try await information(of: owner)
    let capabilities = try await answer { () throws(CallError) in
      try await self.call(NotificationsBus.getCapabilities, of: owner)
    } otherwise: {
      []
    }
    if information == nil {
      if capabilities == nil && !believingRefusals { return nil }
      // The server may have become ready between the two queries.
      if capabilities != nil { information = try await self.information(of: owner) }
    }
    let known = information ?? Self.unknown
    return ServerState(
      owner: owner, bus: try await connection.call(BusMethods.getID, of: .bus, limit: limits.asking),
      information: known, capabilities: Set((capabilities ?? []).map { Capability(rawValue: $0) }),
      settings: await ServerSettings.ask(known.name, owner, on: connection, limit: limits.asking))
  }

  private func information(of owner: BusName) async throws(CallError) -> ServerInformation? {
    try await answer { () throws(CallError) in
      let (name, vendor, version, specVersion) = try await self.call(NotificationsBus.getServerInformation, of: owner)
      return ServerInformation(name: name, vendor: vendor, version: version, specVersion: specVersion)
    } otherwise: {
      Self.unknown
    }
  }

  private static let unknown = ServerInformation(name: "", vendor: "", version: "", specVersion: "")

  private func call<Output>(
    _ method: MethodDescription<Void, Output>, of owner: BusName
  ) async throws(CallError) -> Output {
    try await connection.call(
      method, of: RemoteObject(owner, NotificationsBus.path, NotificationsBus.interface), limit: limits.asking)
  }

  /// Returns nil if the server does not know the method: it may still show notifications. One that answers with other
  /// types is ready.
  private func answer<Answer>(
    _ ask: () async throws(CallError) -> Answer, otherwise unusable: () -> Answer
  ) async throws(CallError) -> Answer? {
    do throws(CallError) { return try await ask() } catch {
      if error.failureCode == .unexpectedReply { return unusable() }
      guard case .refused(let refusal) = error, !Self.gone.contains(refusal.name) else { throw error }
      return nil
    }
  }

  /// The bus's errors for a peer that has disconnected.
  private static let gone: Set<ErrorName> = [.serviceUnknown, .nameHasNoOwner, .noReply]

  /// Whether the server answers a cheap query.
  public func answers() async -> Bool {
    guard let owner = state?.owner else { return false }
    do throws(CallError) { _ = try await information(of: owner) } catch { return false }
    return true
  }

  /// Whether the bus can start a server if there is none.
  public func isActivatable() async throws(CallError) -> Bool {
    try await connection.isActivatable(NotificationsBus.name)
  }

  /// Asks the bus to start a server; ``events()`` reports when it appears.
  public func activate() async throws(CallError) {
    try await connection.call(BusMethods.startService, of: .bus, NotificationsBus.name, 0)
  }

  // MARK: Posting

  /// Shows a notification, replacing `number` if it is given; returns the new number.
  ///
  /// `whenLate` is called if the answer comes after the time limit: the server may have shown the notification.
  public func notify(
    _ notification: ServerNotification, replacing number: UInt32 = 0,
    whenLate: (@Sendable (PostedNumber) -> Void)? = nil
  ) async throws(CallError) -> PostedNumber {
    let answer: Result<PostedNumber, CallError> = await connection.loop.withContinuation { continuation in
      do throws(CallError) {
        try send(notification, replacing: number) {
          continuation.resume(returning: $0)
        } whenLate: {
          whenLate?($0)
        }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try answer.get()
  }

  /// Sends a notification like ``notify(_:replacing:whenLate:)``, before it returns. Unless it throws, `answered` is
  /// called once, in the order in which the server answers.
  func send(
    _ notification: ServerNotification, replacing number: UInt32,
    answered: @escaping @Sendable (Result<PostedNumber, CallError>) -> Void,
    whenLate: @escaping @Sendable (PostedNumber) -> Void
  ) throws(CallError) {
    guard let owner = state?.owner else {
      throw .refused(RemoteError(.serviceUnknown, "there is no notification server"))
    }
    // Call the owner, not the name: another server's answer would be about another number.
    let object = RemoteObject(owner, NotificationsBus.path, NotificationsBus.interface)
    let limit = limits.posting
    var call = lastNotify?.take(for: notification, to: owner)
    let sent = connection.assumeIsolated { connection in
      Result { () throws(CallError) in
        var written: WrittenCall
        if let kept = call.take() {
          written = kept
        } else {
          written = try connection.write(
            NotificationsBus.notify, of: object, changing: 1, notification.appName, 0, notification.icon,
            notification.summary, notification.body, notification.actionWords, notification.hints,
            notification.expiry.milliseconds)
        }
        defer { call = written }
        // awesome 4.3 answers without a number when the texts are empty: an error.
        try connection.send(&written, number, as: NotificationsBus.notify, limit: limit) { answer in
          answered(answer.map { PostedNumber(server: owner, number: $0) })
        } whenLate: { late in
          if case .success(let number) = late { whenLate(PostedNumber(server: owner, number: number)) }
        }
      }
    }
    if let call { LastNotify.keep(call, of: notification, to: owner, in: &lastNotify) }
    try sent.get()
  }

  /// Closes a notification. If it is gone already, that is no error, though some servers report one.
  public func close(_ posted: PostedNumber) async throws(CallError) {
    guard posted.server == state?.owner else { return }
    do throws(CallError) {
      try await connection.call(
        NotificationsBus.closeNotification,
        of: RemoteObject(posted.server, NotificationsBus.path, NotificationsBus.interface), posted.number,
        limit: limits.posting)
    } catch {
      if case .failed = error { throw error }
    }
  }
}
