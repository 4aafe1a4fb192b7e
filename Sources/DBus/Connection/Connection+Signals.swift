// SPDX-License-Identifier: Apache-2.0

/// Somebody who wants signals: a stream.
struct Subscription {
  let rule: MatchRule
  let deliver: (Signal) -> Void
  let end: (BusError) -> Void
}

extension Connection {
  /// The signals that fit `rule`, from the moment this returns; `limit` of them wait for a slow reader.
  ///
  /// Where the connection comes back after a loss, so does the stream; what was sent meanwhile is not in it.
  public func signals(matching rule: MatchRule, buffering limit: Int = 1024) async throws(CallError) -> SignalStream {
    let key = nextKey()
    let buffer = SignalBuffer(limit: limit) { [weak self] in
      self?.perform { $0.unsubscribe(key) }
    }
    try await prepareToHear(rule)
    // It may have been closed since the rule was there, and nobody would end the stream any more.
    if case .closed(let error) = phase { throw .failed(error) }
    // Weak: the reader keeps the buffer; when it goes, the subscription follows.
    subscriptions[key] = Subscription(
      rule: rule, deliver: { [weak buffer] in buffer?.put($0) }, end: { [weak buffer] in buffer?.end($0) })
    return SignalStream(buffer: buffer)
  }

  /// From here on the bus sends us what fits, and we know who may send it; ``unsubscribe(_:)`` undoes both.
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

  /// The bus itself and unique names never change hands.
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

  /// A rule that the bus took after we gave up waiting is taken back: nobody would ever remove it.
  func askForMatch(
    _ text: String, _ whenDone: @escaping (Reply) -> Void
  ) throws(BusError) {
    let whenLate: LateReplyHandler = { [weak self] reply in
      if case .success = reply { self?.perform { $0.dropMatch(text) } }
    }
    try ask(.toBus("AddMatch", [.string(text)]), whenLate: whenLate, whenDone)
  }

  private func matchAnswered(_ text: String, _ match: PendingRegistration, _ reply: Reply) {
    let isCurrent = matches[text] === match
    switch reply {
    case .success:
      // Everybody who wanted it has given up.
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

  /// Where the bus is gone, the rule is gone with it.
  func dropMatch(_ text: String) {
    try? post(.toBus("RemoveMatch", [.string(text)]))
  }

  // MARK: Delivering

  /// Gives a signal to all whom it concerns.
  func route(
    _ message: borrowing MessageReader, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    from sender: BusName
  ) {
    let takers = subscriptions.filter { _, subscription in
      subscription.rule.fits(path: path, interface: interface, member: member)
        && isSender(sender, subscription.rule.sender)
    }
    let isFromBus = sender == .bus && interface == "org.freedesktop.DBus"
    let isOwnerChange = isFromBus && member == "NameOwnerChanged"
    let isNameNews = isFromBus && (member == "NameLost" || member == "NameAcquired")
    guard !takers.isEmpty || isOwnerChange || isNameNews else { return }
    guard let arguments = try? message.arguments() else { return }
    var signal = Signal(path, interface, member, arguments, to: message.destination)
    signal.sender = sender
    // Owners first: what a subscriber hears next must be judged by the new one.
    if isOwnerChange { ownerChanged(arguments) }
    if isNameNews { nameNews(member, arguments) }
    for (key, _) in takers.sorted(by: { $0.key < $1.key }) {
      guard let subscription = subscriptions[key], subscription.rule.fits(arguments) else { continue }
      subscription.deliver(signal)
    }
  }

  private func isSender(_ sender: BusName, _ wanted: BusName?) -> Bool {
    guard let wanted else { return true }
    return Self.isTracked(wanted) ? owners[wanted]?.current == sender : wanted == sender
  }
}
