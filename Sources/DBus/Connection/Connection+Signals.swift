// SPDX-License-Identifier: Apache-2.0

/// The interest of a reader in signals.
///
/// A class, because each signal is compared with all of them.
final class Subscription {
  let rule: MatchRule
  let deliver: (Signal) -> Void
  let end: (BusError) -> Void

  init(rule: MatchRule, deliver: @escaping (Signal) -> Void, end: @escaping (BusError) -> Void) {
    self.rule = rule
    self.deliver = deliver
    self.end = end
  }
}

extension Connection {
  /// The signals that match `rule`, from the moment this returns; the stream buffers `limit` of them.
  ///
  /// If the connection is restored after a loss, the stream continues, without the signals sent in between.
  public func signals(matching rule: MatchRule, buffering limit: Int = 1024) async throws(CallError) -> SignalStream {
    let key = nextKey()
    let buffer = SignalBuffer(limit: limit) { [weak self] in
      self?.perform { $0.unsubscribe(key) }
    }
    try await prepareToHear(rule)
    // If the connection was closed after the rule was added, the stream would never end.
    if case .closed(let error) = phase { throw .failed(error) }
    // Weak: the reader owns the buffer; when the reader is released, the subscription follows.
    subscriptions[key] = Subscription(
      rule: rule, deliver: { [weak buffer] in buffer?.put($0) }, end: { [weak buffer] in buffer?.end($0) })
    return SignalStream(buffer: buffer)
  }

  /// Calls `tell` with each signal that matches `rule`, on the connection's loop and before the next message is handled;
  /// a reader of ``signals(matching:buffering:)`` resumes after all other work. Calls `end` when the connection is closed.
  public func listen(
    to rule: MatchRule, tell: @escaping @Sendable (Signal) -> Void, end: @escaping @Sendable () -> Void
  ) async throws(CallError) -> SignalWatch {
    let key = nextKey()
    try await prepareToHear(rule)
    if case .closed(let error) = phase { throw .failed(error) }
    subscriptions[key] = Subscription(rule: rule, deliver: tell, end: { _ in end() })
    return SignalWatch { [weak self] in
      self?.perform { $0.unsubscribe(key) }
    }
  }

  /// Makes the bus send matching signals and tracks the permitted sender; ``unsubscribe(_:)`` undoes both.
  func prepareToHear(_ rule: MatchRule) async throws(CallError) {
    if let sender = rule.sender, Self.isTracked(sender) { try await trackOwner(of: sender) }
    do throws(CallError) {
      try await holdMatch(rule)
    } catch {
      if let sender = rule.sender, Self.isTracked(sender) { untrackOwner(of: sender) }
      throw error
    }
  }

  func unsubscribe(_ key: UInt64) {
    guard let subscription = subscriptions.removeValue(forKey: key) else { return }
    releaseMatch(subscription.rule)
    if let sender = subscription.rule.sender, Self.isTracked(sender) { untrackOwner(of: sender) }
  }

  /// The bus itself and unique names never change owners.
  static func isTracked(_ name: BusName) -> Bool { !name.isUnique && name != .bus }

  // MARK: Rules

  private func holdMatch(_ rule: MatchRule) async throws(CallError) {
    let text = rule.text
    let match = matches[text] ?? PendingRegistration()
    if matches[text] == nil {
      do throws(BusError) { try askForMatch(text) { self.matchAnswered(text, match, $0) } } catch {
        throw .failed(error)
      }
      matches[text] = match
    }
    match.users += 1
    do throws(CallError) {
      try await wait(for: match)
    } catch {
      release(match, text)
      throw error
    }
  }

  /// If the bus accepts a rule after we stopped waiting, the rule is removed; otherwise it would stay for ever.
  func askForMatch(
    _ text: String, _ whenDone: @escaping (Result<Void, CallError>) -> Void
  ) throws(BusError) {
    let whenLate: @Sendable (Result<Void, CallError>) -> Void = { [weak self] reply in
      if case .success = reply { self?.perform { $0.dropMatch(text) } }
    }
    try ask(BusMethods.addMatch, text, whenLate: whenLate, whenDone)
  }

  private func matchAnswered(_ text: String, _ match: PendingRegistration, _ reply: Result<Void, CallError>) {
    let isCurrent = matches[text] === match
    switch reply {
    case .success:
      // All users of the rule have given up.
      if !isCurrent { dropMatch(text) }
      match.settle(.success(()))
    case .failure(let error):
      if isCurrent { matches[text] = nil }
      match.settle(.failure(error))
    }
  }

  func releaseMatch(_ rule: MatchRule) {
    if let match = matches[rule.text] { release(match, rule.text) }
  }

  private func release(_ match: PendingRegistration, _ text: String) {
    match.users -= 1
    guard match.users == 0, matches[text] === match else { return }
    matches[text] = nil
    if match.isReady { dropMatch(text) }
  }

  /// Does nothing if the bus is gone, because the rule is gone with it.
  func dropMatch(_ text: String) {
    try? post(BusMethods.removeMatch, of: .bus, text)
  }

  // MARK: Delivering

  /// Delivers a signal to all matching subscriptions.
  func route(
    _ message: borrowing MessageReader, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    from sender: BusName
  ) {
    var takers = subscriptions.compactMap { key, subscription in
      subscription.rule.fits(path: path, interface: interface, member: member)
        && isSender(sender, subscription.rule.sender) ? key : nil
    }
    let isFromBus = sender == .bus && interface == "org.freedesktop.DBus"
    let isOwnerChange = isFromBus && member == "NameOwnerChanged"
    let isNameNews = isFromBus && (member == "NameLost" || member == "NameAcquired")
    guard !takers.isEmpty || isOwnerChange || isNameNews else { return }
    guard let arguments = try? message.arguments() else { return }
    var signal = Signal(path, interface, member, arguments, to: message.destination)
    signal.sender = sender
    // Update owners first: the next signal must be checked against the new one.
    if isOwnerChange { ownerChanged(signal) }
    if isNameNews { nameNews(signal) }
    takers.sort()
    for key in takers {
      guard let subscription = subscriptions[key], subscription.rule.fits(arguments) else { continue }
      subscription.deliver(signal)
    }
  }

  private func isSender(_ sender: BusName, _ wanted: BusName?) -> Bool {
    guard let wanted else { return true }
    return Self.isTracked(wanted) ? owners[wanted]?.current == sender : wanted == sender
  }
}
