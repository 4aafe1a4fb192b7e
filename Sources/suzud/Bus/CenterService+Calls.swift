// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel
internal import Scheduling

/// The methods that the D-Bus interface calls. Each forwards to the object that answers it.
extension CenterService {
  /// The beginning of almost every call.
  func rights(of caller: Caller) async -> Rights {
    await screenSide.restoration.untilDone()
    return await callers.rights(of: caller)
  }

  // MARK: Requests

  func cancel(_ app: String, _ ids: [String], _ rights: Rights, from caller: Caller) async throws(CenterError) -> Int {
    await screenSide.restoration.untilKnown()
    return try await requestSide.withdrawals.cancel(app, ids, rights, from: caller)
  }

  func dismiss(_ app: String, _ ids: [String], _ rights: Rights, from caller: Caller) async throws(CenterError) -> Int {
    await screenSide.restoration.untilKnown()
    return try await requestSide.dismissals.dismiss(app, ids, rights, from: caller)
  }

  func acknowledge(
    _ app: String, _ ids: [String], _ rights: Rights, from caller: Caller
  ) async throws(CenterError) -> Int {
    await screenSide.restoration.untilKnown()
    return try await requestSide.acknowledgements.acknowledge(app, ids, rights, from: caller)
  }

  func list(_ kind: ListingKind, _ page: Page) async throws(CenterError) -> PageRows<Properties> {
    try await requestSide.listings.list(kind, page, encode: ListedRow.encoded)
  }

  func clearHistory(of app: String?, before end: Timestamp?) async throws(CenterError) -> Int {
    try await requestSide.clearing.clear(app, before: end)
  }

  func reasons(_ app: String, _ id: String, limit: Int, _ reader: Rights) async throws(CenterError) -> [Properties] {
    try await requestSide.listings.reasons(app, id, limit: limit, for: reader, encode: ListedRow.encoded)
  }

  func next(_ request: NotificationRequest, _ count: Int) async throws(CenterError) -> [Int64] {
    try await requestSide.requests.next(request, count)
  }

  func respond(_ app: String, _ id: String, _ action: String, reply: String?) async throws(CenterError) {
    await screenSide.restoration.untilKnown()
    try await clickSide.choosing.respond(app, id, action, reply: reply)
  }

  // MARK: Listeners and handlers

  func watch(_ caller: Caller) async throws(CallError) { try await listeners.watch(caller) }

  func watch(_ caller: Caller, only app: String) async throws(CallError) {
    try await listeners.watch(caller, only: app)
  }

  func unwatch(_ caller: Caller) { listeners.unwatch(caller) }

  func watchStore(_ caller: Caller) async throws(CallError) { try await listeners.watchStore(caller) }

  func unwatchStore(_ caller: Caller) { listeners.unwatchStore(caller) }

  /// Makes a caller the app's handler, and sends it the responses that waited for one.
  func attach(_ caller: Caller, to app: String, isSandboxed: Bool) async throws(CallError) {
    try await listeners.attach(caller, to: app, isSandboxed: isSandboxed)
    await clickSide.handlers.attached(caller, to: app)
  }

  func detach(_ caller: Caller, from app: String) {
    screenSide.inFront.detach(app, caller)
    listeners.detach(caller, from: app)
  }

  func setInFront(_ isInFront: Bool, _ app: String, _ caller: Caller) throws(CenterError) {
    try screenSide.inFront.set(isInFront, app, caller)
  }

  func setChangesPushes(_ changes: Bool, _ app: String, _ caller: Caller) throws(CenterError) {
    try screenSide.inFront.pushes.set(changes, app, caller)
  }

  func complete(_ response: UInt64, _ problem: String?, by caller: Caller) throws(CenterError) {
    try clickSide.handlers.complete(response, problem, by: caller)
  }

  // MARK: Apps

  func register(
    _ app: String, _ kinds: Set<NoticeKind>, mustAsk: Bool
  ) async throws(CenterError) -> Set<NoticeKind> {
    try await screenSide.permissions.register(app, kinds, mustAsk: mustAsk)
  }

  func allow(_ app: String, _ kinds: Set<NoticeKind>) throws(CenterError) {
    try screenSide.permissions.allow(app, kinds)
  }

  /// Changes when the app's notifications come.
  func configure(_ settings: AppSettings) throws(CenterError) {
    try screenSide.permissions.configure(settings)
    settingsChanged()
  }

  func reset(_ app: String) throws(CenterError) {
    try screenSide.permissions.reset(app)
    settingsChanged()
  }

  private func settingsChanged() {
    screenSide.deliveries.held.recheck()
    screenSide.expiry.recheck()
  }

  /// Shows a number on the app's launcher; 0 removes it.
  func setBadge(_ number: UInt32, of app: String) throws(CenterError) {
    guard around.apps[app].allowed.contains(.badge) else {
      throw CenterError(.accessDenied, "the user does not let this app have a badge; 'suzu apps' changes that")
    }
    around.badges.set(Int(min(number, UInt32(Int32.max))), of: app, around.agenda.journal)
  }

  func badge(of app: String) -> UInt32 { UInt32(clamping: around.badges.number(of: app)) }

  // MARK: Places

  var places: [NamedPlace] { around.places.all }

  func setPlaces(_ places: [NamedPlace]) throws(CenterError) { try around.places.set(places) }

  func position() async throws(CenterError) -> Position { try await around.places.position() }

  // MARK: Mutes

  var mutes: [Mute] { around.agenda.mutes.current }

  func mute(_ mute: Mute) throws(CenterError) {
    try around.agenda.mutes.set(mute)
    around.audience.tell(.mutes)
  }

  func unmute(_ id: RequestID, of app: AppID) throws(CenterError) {
    try around.agenda.mutes.remove(id, of: app)
    around.audience.tell(.mutes)
  }

  // MARK: Quiet hours

  /// Quiet hours of all apps, or of one.
  func quiet(of app: String?) -> QuietState {
    let book = around.agenda.quiet
    let held = screenSide.deliveries.held
    return QuietState(
      hours: book[app], limit: (app.flatMap { book[$0].limit } ?? book[nil].limit) ?? .usual,
      causes: held.causes(of: app), held: held.countOfQuiet(app))
  }

  var quietApps: [String] { around.agenda.quiet.names }

  func setQuiet(_ change: QuietChange, of app: String?) throws(CenterError) {
    let book = around.agenda.quiet
    try book.set(
      try change.applied(to: book[app], hoursUntil: book.hoursEnd(of: app), now: around.agenda.time.wall), of: app)
    around.audience.tell(.quiet)
    screenSide.deliveries.held.recheck()
  }

  // MARK: Calendars

  func calendars() async -> [FollowedCalendar] { await requestSide.calendars.all() }

  func follow(_ calendar: FollowedCalendar) async throws(CenterError) -> FollowedCalendar {
    try await requestSide.calendars.add(calendar)
  }

  func unfollow(_ path: String) async throws(CenterError) -> Int { try await requestSide.calendars.remove(path) }

  // MARK: Outbox

  func outgoing(for carrier: Caller) async throws(CenterError) -> [OutgoingRecord] {
    try await screenSide.deliveries.outbox.waiting(for: carrier)
  }

  func takeOutgoing(_ number: OutgoingRecord.Number) async throws(CenterError) -> OutgoingContent {
    try await screenSide.deliveries.outbox.take(number)
  }

  func finishOutgoing(
    _ number: OutgoingRecord.Number, as state: OutgoingRecord.State, detail: String
  ) async throws(CenterError) {
    try await screenSide.deliveries.outbox.finish(number, as: state, detail: detail)
  }

  func answered(
    _ app: String, push: String, by name: String?, _ rights: Rights, from caller: Caller
  ) async throws(CenterError) {
    await screenSide.restoration.untilKnown()
    try await requestSide.answers.answered(app, push: push, by: name, rights, from: caller)
  }

  // MARK: Settings

  func settings(of app: String) -> AppSettings { around.apps[app] }

  /// Every app that registered, or that the user has decided about.
  var appSettings: [AppSettings] { around.apps.names.map { around.apps[$0] } }

  func categories(of app: String?, for rights: Rights) async -> [[String: Value]] {
    await around.categories.listed(of: app, for: rights, on: connection.loop, encode: \.properties)
  }
}
