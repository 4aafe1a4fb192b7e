// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Foundation
internal import NotificationModel
internal import RunningApp
internal import Suzu

/// The calls of the center that the methods of `UNUserNotificationCenter` stand for.
final class RequestCalls: Sendable {
  let running: RunningApp
  private let calls = OrderedCalls()
  private let attachments: AttachmentStore
  private let maker = Guarded<(@Sendable () -> UNNotificationServiceExtension)?>(nil)

  /// Makes the extension that changes the content of messages from a server.
  var serviceExtension: (@Sendable () -> UNNotificationServiceExtension)? {
    get { maker.withLock { $0 } }
    set { maker.withLock { $0 = newValue } }
  }

  init(_ running: RunningApp) {
    self.running = running
    attachments = AttachmentStore(running)
  }

  /// Calls the center, with its errors as those of this module.
  ///
  /// If the center ends before it answers, the next one is called, because each of these calls may be made twice: a
  /// request replaces the one with its id.
  private func use<Output: Sendable>(
    _ body: @Sendable (NotifyingApp) async throws(SuzuError) -> Output
  ) async throws(UNError) -> Output {
    do throws(SuzuError) {
      let app = try await running.app()
      do throws(SuzuError) { return try await body(app) } catch {
        guard error.code == .interrupted else { throw error }
        return try await body(app)
      }
    } catch {
      throw UNError(error)
    }
  }

  /// The same in the order of calls, for one that can fail.
  private func ordered<Output: Sendable>(
    _ body: @escaping @Sendable () async throws(UNError) -> Output
  ) -> Task<Result<Output, UNError>, Never> {
    calls.run {
      do throws(UNError) { return .success(try await body()) } catch { return .failure(error) }
    }
  }

  /// The same for one whose error has no other way to the programmer.
  private func told<Output: Sendable>(
    _ what: String, else missing: Output, _ body: @escaping @Sendable () async throws(UNError) -> Output
  ) -> Task<Output, Never> {
    calls.run {
      do throws(UNError) { return try await body() } catch {
        warn("\(what): \(error.why)")
        return missing
      }
    }
  }

  // MARK: The permission

  func register(_ options: UNAuthorizationOptions) async throws(UNError) -> Bool {
    var kinds: Set<NoticeKind> = []
    if options.contains(.alert) { kinds.insert(.alert) }
    if options.contains(.badge) { kinds.insert(.badge) }
    if options.contains(.sound) { kinds.insert(.sound) }
    let wanted = kinds.isEmpty ? [.alert] : kinds
    let allowed = try await use { app throws(SuzuError) in try await app.register(for: wanted) }
    return !allowed.isDisjoint(with: wanted)
  }

  func settings() async -> UNNotificationSettings {
    do throws(UNError) {
      return UNNotificationSettings(try await use { app throws(SuzuError) in try await app.settings() })
    } catch {
      warn("the settings are not known: \(error.why)")
      return UNNotificationSettings(.notDetermined, alert: .notSupported, badge: .notSupported, sound: .notSupported)
    }
  }

  // MARK: Adding

  func add(_ request: UNNotificationRequest) -> Task<Result<Void, UNError>, Never> {
    guard let make = serviceExtension, request.isMutable else { return addUnchanged(request) }
    // Not in the order of calls: the others would wait for the extension.
    return Task.detached { [self] in
      await addUnchanged(await ServiceExtensionRun.request(request, changedBy: make)).value
    }
  }

  /// Hands a push to the extension, and adds what that changes in its place.
  func change(_ pushed: PushedRequest) async {
    guard let make = serviceExtension else { return }
    let end = ContinuousClock.now + pushed.limit
    let request = UNNotificationRequest(pushed.request, id: pushed.id.text, next: nil)
    let limit = min(ServiceExtensionRun.usualLimit, pushed.limit * 10 / 11)
    let changed = await ServiceExtensionRun.request(request, changedBy: make, within: limit)
    // What comes late would be shown beside the original.
    guard changed.content != request.content, ContinuousClock.now < end else { return }
    if case .failure(let error) = await addUnchanged(changed, inPlaceOf: pushed).value {
      warn("the push '\(pushed.id)' is shown as it came: \(error.why)")
    }
  }

  private func addUnchanged(
    _ request: UNNotificationRequest, inPlaceOf pushed: PushedRequest? = nil
  ) -> Task<Result<Void, UNError>, Never> {
    ordered { [self] () throws(UNError) in
      // What is wrong with the request itself is known without a center.
      let isPush = pushed != nil
      _ = try SentRequest(request: request, category: nil, app: running.id, isPush: isPush).made()
      try await checkAllowed()
      let category = try await category(request.content.categoryIdentifier)
      let kept = try attachments.keep(request)
      var made = try SentRequest(request: kept, category: category, app: running.id, isPush: isPush).made()
      if let pushed { made = pushed.keepingItsOwn(in: made, with: request.content) }
      let sent = made
      _ = try await use { app throws(SuzuError) in try await app.notify(sent) }
    }
  }

  private func checkAllowed() async throws(UNError) {
    let settings = try await use { app throws(SuzuError) in try await app.settings() }
    if settings.isDecided && !settings.allowed.contains(.alert) {
      throw UNError(.notificationsNotAllowed, "the user does not let '\(running.id)' show notifications")
    }
  }

  /// The category with this identifier; nil if none is registered. On Apple's systems that is no error, either.
  private func category(_ identifier: String) async throws(UNError) -> RegisteredCategory? {
    if identifier.isEmpty { return nil }
    let known = try await use { app throws(SuzuError) in try await app.usableCategories() }
    let id = Identifier(SentIdentifier.text(identifier))
    return known.first { Identifier($0.category.id) == id }
  }

  // MARK: Listing

  func pending() -> Task<[UNNotificationRequest], Never> {
    told("the pending requests are not known", else: []) { [self] () throws(UNError) in
      try await rows(of: .pending).compactMap { UNNotificationRequest($0) }
    }
  }

  func delivered() -> Task<[UNNotification], Never> {
    told("the delivered notifications are not known", else: []) { [self] () throws(UNError) in
      try await rows(of: .delivered).compactMap { UNNotification(shown: $0) }
    }
  }

  private enum List {
    case pending, delivered
  }

  private func rows(of list: List) async throws(UNError) -> [ListedRequest] {
    try await use { app throws(SuzuError) in
      var rows: [ListedRequest] = []
      for try await row in list == .pending ? app.pendingRequests() : app.deliveredRequests() { rows.append(row) }
      return rows
    }
  }

  // MARK: Removing

  /// - Parameter identifiers: nil for all.
  func removePending(_ identifiers: [String]?) {
    // No ids would mean all of them.
    if identifiers?.isEmpty == true { return }
    let ids = identifiers?.map(SentIdentifier.text) ?? []
    _ = told("pending requests were not removed", else: ()) { [self] () throws(UNError) in
      _ = try await use { app throws(SuzuError) in try await app.center.cancel(app: app.id.text, ids: ids) }
      try await removeAttachments()
    }
  }

  /// - Parameter identifiers: nil for all.
  func removeDelivered(_ identifiers: [String]?) {
    if identifiers?.isEmpty == true { return }
    let ids = identifiers?.map(SentIdentifier.text) ?? []
    _ = told("delivered notifications were not removed", else: ()) { [self] () throws(UNError) in
      _ = try await use { app throws(SuzuError) in try await app.center.dismiss(app: app.id.text, ids: ids) }
      try await removeAttachments()
    }
  }

  /// Removes the files of requests that are gone.
  private func removeAttachments() async throws(UNError) {
    guard attachments.hasAny else { return }
    let rows = try await rows(of: .pending) + rows(of: .delivered)
    attachments.remove(allBut: Set(rows.map(\.id)))
  }

  // MARK: Categories

  func setCategories(_ categories: Set<UNNotificationCategory>) {
    let sent = categories.sorted { $0.identifier < $1.identifier }.map(\.sent)
    _ = told("the categories were not set", else: ()) { [self] () throws(UNError) in
      try await use { app throws(SuzuError) in try await app.setCategories(sent) }
      try await renewPending()
    }
  }

  /// Gives pending requests the actions that their category has now: the user sees those of the time of delivery.
  private func renewPending() async throws(UNError) {
    let pending = try await rows(of: .pending)
    let categories = try await use { app throws(SuzuError) in try await app.usableCategories() }
    let known = Dictionary(categories.map { (Identifier($0.category.id), $0) }) { first, _ in first }
    for row in pending {
      guard let request = try? row.request(),
        let identifier = KeptValues(userInfo: request.content.userInfo)?.values("content")?.text("categoryIdentifier")
      else { continue }
      let category = known[Identifier(SentIdentifier.text(identifier))]
      let renewed = try? request.changing {
        $0.category = category.map { CategoryID(trusted: $0.category.id) }
        $0.actions = category?.ownActions ?? []
      }
      guard let renewed, renewed != request else { continue }
      // It may have been delivered meanwhile.
      _ = try? await use { app throws(SuzuError) in try await app.notify(renewed) }
    }
  }

  func categories() -> Task<Set<UNNotificationCategory>, Never> {
    told("the categories are not known", else: []) { [self] () throws(UNError) in
      let known = try await use { app throws(SuzuError) in try await app.usableCategories() }
      return Set(known.filter { $0.file == nil }.map { UNNotificationCategory($0.category) })
    }
  }

  // MARK: The badge

  func setBadge(_ number: Int) -> Task<Result<Void, UNError>, Never> {
    ordered { [self] () throws(UNError) in
      guard 0...Int(Int32.max) ~= number else {
        throw UNError(.badgeInputInvalid, "the badge must be from 0 to \(Int32.max), not \(number)")
      }
      try await use { app throws(SuzuError) in try await app.center.setBadge(number, app: app.id.text) }
    }
  }

  /// The number on the app's launcher.
  func badge() -> Task<Int, Never> {
    told("the badge is not known", else: 0) { [self] () throws(UNError) in
      try await use { app throws(SuzuError) in try await app.center.badge(app: app.id.text) }
    }
  }
}

extension UNNotificationSettings {
  fileprivate convenience init(_ settings: AppSettings) {
    func setting(_ kind: NoticeKind) -> UNNotificationSetting {
      settings.allowed.contains(kind) ? .enabled : .disabled
    }
    let isAllowed = settings.allowed.contains(.alert)
    let hasAsked = !settings.asked.isDisjoint(with: NoticeKind.ways)
    let status: UNAuthorizationStatus =
      if settings.isDecided { isAllowed ? .authorized : .denied } else if hasAsked { .authorized } else {
        .notDetermined
      }
    let previews: UNShowPreviewsSetting =
      switch settings.previews {
      case .always: .always
      case .unlocked: .whenAuthenticated
      case .never: .never
      }
    self.init(
      status, alert: setting(.alert), badge: setting(.badge), sound: setting(.sound), previews: previews)
  }
}
