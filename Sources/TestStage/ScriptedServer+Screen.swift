// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// What a recorded server draws, and what its user does with it.
extension ScriptedServer {
  /// A notification as the recorded server draws it.
  public struct Popup: Sendable {
    /// The call that it came with.
    public let posted: Posted
    /// Its number.
    public let number: UInt32
    /// The headline.
    public var title: String { posted.summary }
    /// The labels of the buttons that are drawn, in order.
    public let buttons: [String]
    /// The keys of these buttons.
    let keys: [String]
  }

  // MARK: What is sent

  /// Whether the server replaces a notification with this number, or takes it for a new one.
  func accepts(_ number: UInt32) -> Bool {
    guard let profile else { return true }
    return profile.believesNumbers || popups.contains { $0.number == number }
  }

  /// Draws a notification, if the recorded server would.
  func draw(_ posted: Posted) async throws {
    guard let profile else { return }
    let text = "\(posted.appName)\u{0}\(posted.summary)\u{0}\(posted.body)"
    let now = ContinuousClock.now
    if let name = profile.refusesRepetition, let last = lastTexts[text], now - last < .seconds(1) {
      throw RemoteError(Self.name(name), "Created too many similar notifications in quick succession")
    }
    lastTexts = lastTexts.filter { now - $0.value < .seconds(1) }
    lastTexts[text] = now
    if !popups.contains(where: { $0.number == posted.number }) { try await makeRoom(for: posted, profile) }
    let labels = stride(from: 0, to: posted.actions.count - 1, by: 2).map {
      (key: posted.actions[$0], label: posted.actions[$0 + 1])
    }
    let drawn = labels.filter { $0.key != "default" || profile.drawsDefault }.prefix(profile.buttons ?? .max)
    popups.removeAll { $0.number == posted.number }
    let popup = Popup(posted: posted, number: posted.number, buttons: drawn.map(\.label), keys: drawn.map(\.key))
    popups.append(popup)
    for (number, wait) in waits where wait.title == popup.title {
      waits[number] = nil
      wait.end(with: popup)
    }
  }

  private static func name(_ text: String) -> ErrorName { ErrorName(text) ?? "org.freedesktop.DBus.Error.Failed" }

  private func makeRoom(for posted: Posted, _ profile: ServerProfile) async throws {
    guard let room = profile.room else { return }
    let rivals = room.isPerApp ? popups.filter { $0.posted.appName == posted.appName } : popups
    guard rivals.count >= room.limit else { return }
    switch room.overflow {
    case .refuses(let error, let message): throw RemoteError(Self.name(error), message)
    case .crashes: await die()
    case .closesOldest(let reason): if let oldest = rivals.first { try await end(oldest.number, [reason]) }
    }
  }

  /// A program closes a notification.
  func close(_ number: UInt32) async throws {
    guard let profile else { return }
    if popups.contains(where: { $0.number == number }) {
      try await end(number, profile.reasonsAfterClosing)
    } else if let error = profile.refusesToCloseUnknown {
      throw RemoteError(Self.name(error), "no notification has the number \(number)")
    } else if profile.closesUnknown {
      try await tellClosed(number, reason: 3)
    }
  }

  private func end(_ number: UInt32, _ reasons: [UInt32]) async throws {
    popups.removeAll { $0.number == number }
    for reason in reasons { try await tellClosed(number, reason: reason) }
  }

  // MARK: What the user sees

  /// The notifications on the screen, oldest first.
  public var screen: [Popup] { popups }

  /// The notification with this headline, as soon as it is on the screen.
  public func popup(titled title: String, within limit: Duration = .seconds(10)) async throws -> Popup {
    if let popup = popups.last(where: { $0.title == title }) { return popup }
    lastWait += 1
    let number = lastWait
    let found = await withCheckedContinuation { continuation in
      let limiting = Task.detached { [weak self] in
        // A sleep is meant: the limit of the wait.
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        await self?.giveUp(number)
      }
      waits[number] = Wait(title: title, limit: limiting, found: continuation)
    }
    guard let found else { throw TestFailure("no notification '\(title)' within \(limit), or the server has ended") }
    return found
  }

  private func giveUp(_ number: Int) { waits.removeValue(forKey: number)?.end(with: nil) }

  /// The server has ended: nothing is on the screen, and nothing will be.
  func clearScreen() {
    popups = []
    for wait in waits.values { wait.end(with: nil) }
    waits = [:]
  }

  /// A test that waits for a notification with a headline.
  struct Wait {
    let title: String
    let limit: Task<Void, Never>
    let found: CheckedContinuation<Popup?, Never>

    func end(with popup: Popup?) {
      limit.cancel()
      found.resume(returning: popup)
    }
  }

  // MARK: What the user does

  /// Clicks on a button with this label.
  public func click(_ label: String, on popup: Popup) async throws {
    guard let index = try drawn(popup).buttons.firstIndex(of: label) else {
      throw TestFailure("'\(popup.title)' has no button '\(label)', only \(popup.buttons)")
    }
    try await invoke(popup.keys[index], on: popup)
  }

  /// Clicks on the notification itself.
  public func click(_ popup: Popup) async throws {
    let offersDefault = try drawn(popup).posted.keys.contains("default")
    switch profile?.click ?? .invokesDefault {
    case .invokesDefault where offersDefault, .inventsDefault: try await invoke("default", on: popup)
    case .invokesDefault, .closes: try await dismiss(popup)
    case .nothing: return
    }
  }

  /// Types a reply into the notification.
  public func reply(_ text: String, to popup: Popup) async throws {
    guard profile?.takesReplies == true, try drawn(popup).posted.keys.contains("inline-reply") else {
      throw TestFailure("'\(popup.title)' has no line for a reply")
    }
    try await emit(Self.replied(popup.number, text))
    try await end(popup.number, profile?.reasonsAfterClick ?? [2])
  }

  /// Dismisses the notification.
  public func dismiss(_ popup: Popup) async throws {
    try await end(try drawn(popup).number, profile?.reasonsAfterDismissal ?? [2])
  }

  /// Lets the time of the notification be over.
  public func expire(_ popup: Popup) async throws {
    try await end(try drawn(popup).number, profile?.tellsOfExpiry == false ? [] : [1])
  }

  private func drawn(_ popup: Popup) throws -> Popup {
    guard popups.contains(where: { $0.number == popup.number }) else {
      throw TestFailure("'\(popup.title)' is not on the screen any more")
    }
    return popup
  }

  private func invoke(_ key: String, on popup: Popup) async throws {
    guard let profile else { return try await press(popup.number, key) }
    if profile.givesTokens { try await emit(Self.activationToken(popup.number, "token-\(popup.number)")) }
    try await press(popup.number, key)
    if profile.sendsDefaultAfterAction, key != "default" { try await press(popup.number, "default") }
    let stays = profile.keepsResident && popup.posted.hints["resident"] == true
    if !stays, !profile.reasonsAfterClick.isEmpty { try await end(popup.number, profile.reasonsAfterClick) }
  }
}
