// SPDX-License-Identifier: Apache-2.0

/// Somebody who wants signals: a stream, or one of our own.
struct Subscription {
  let rule: MatchRule
  let deliver: (Signal) -> Void
  let end: (BusError) -> Void
}

extension Connection {
  /// The signals that fit `rule`, from the moment this returns; `limit` of them wait for a slow reader.
  public func signals(matching rule: MatchRule, buffering limit: Int = 1024) async throws(CallError) -> SignalStream {
    lastSubscription += 1
    let key = lastSubscription
    let buffer = SignalBuffer(limit: limit) { [weak self] in
      self?.perform { $0.unsubscribe(key) }
    }
    // Weak: the reader keeps the buffer; when it goes, the subscription follows.
    let subscription = Subscription(
      rule: rule, deliver: { [weak buffer] in buffer?.put($0) }, end: { [weak buffer] in buffer?.end($0) })
    try await subscribe(subscription, as: key)
    return SignalStream(buffer: buffer)
  }

  func subscribe(_ subscription: Subscription, as key: UInt64) async throws(CallError) {
    subscriptions[key] = subscription
    do throws(CallError) {
      if let sender = subscription.rule.sender, Self.isTracked(sender) { try await trackOwner(of: sender) }
      try await addMatch(subscription.rule)
    } catch {
      subscriptions[key] = nil
      throw error
    }
  }

  func unsubscribe(_ key: UInt64) {
    guard let subscription = subscriptions.removeValue(forKey: key) else { return }
    removeMatch(subscription.rule)
    if let sender = subscription.rule.sender, Self.isTracked(sender) { untrackOwner(of: sender) }
  }

  /// The bus itself and unique names never change hands.
  static func isTracked(_ name: BusName) -> Bool { !name.isUnique && name != .bus }

  func addMatch(_ rule: MatchRule) async throws(CallError) {
    matchCounts[rule.text, default: 0] += 1
    guard matchCounts[rule.text] == 1 else { return }
    do throws(CallError) {
      try await call(.toBus("AddMatch", [.string(rule.text)]))
    } catch {
      matchCounts[rule.text] = nil
      throw error
    }
  }

  func removeMatch(_ rule: MatchRule) {
    guard let count = matchCounts[rule.text] else { return }
    matchCounts[rule.text] = count == 1 ? nil : count - 1
    // Where the bus is gone, the rule is gone with it.
    if count == 1 { try? post(.toBus("RemoveMatch", [.string(rule.text)])) }
  }

  /// Gives a signal to all whom it concerns.
  func route(
    _ message: borrowing MessageReader, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    from sender: BusName
  ) {
    let takers = subscriptions.filter { _, subscription in
      subscription.rule.fits(path: path, interface: interface, member: member)
        && isSender(sender, subscription.rule.sender)
    }
    let isOwnerChange = sender == .bus && member == "NameOwnerChanged"
    let isNameNews = sender == .bus && (member == "NameLost" || member == "NameAcquired")
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
