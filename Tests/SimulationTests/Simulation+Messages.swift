// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import SuzuTesting

@testable import suzud

/// The messages between the center and the server.
extension Simulation {
  // MARK: Calls

  func ask(_ server: BusName, _ answered: @escaping (Bool) -> Void) {
    let call = open { answered((try? $0.get()) != nil) }
    wire.pass(.toServer, .call, lost: noteLoss) { [self] in
      guard self.server.state?.owner == server else {
        return wire.pass(.toCenter) { [self] in end(call, .failure(.gone)) }
      }
      self.server.whenGoing { [self] in
        wire.pass(.toCenter, .answer, lost: noteLoss) { [self] in end(call, .success(0)) }
      }
    }
  }

  func post(
    _ notification: ServerNotification, to server: BusName, of id: String, date: Int64?, replacing number: UInt32,
    answer: @escaping (Answer) -> Void
  ) -> Int {
    look()
    // What is sent is stored, even if its call has not returned yet.
    for (call, pending) in calls.sorted(by: { $0.key < $1.key }) {
      guard case .notify(let spec, let date, let made, _) = pending, spec.title == notification.summary else {
        continue
      }
      calls[call] = nil
      model.accepted(spec, date, made: made.now)
      look()
    }
    guard let sender = center else { return open(answer) }
    let call = PostCall(
      number: open(answer), notification: notification, replaced: number, sender: sender)
    note("sends '\(call.title)'")
    model.sends(call.title, of: id, date: date, replacing: number, as: call.number)
    wire.pass(.toServer, .call, lost: noteLoss) { [self] in
      if self.server.state?.owner == server { take(call) } else { isGone(call) }
    }
    return call.number
  }

  func timedOut(_ call: Int) {
    look()
    model.unheard[call] = nil
    model.didNotArrive(call)
  }

  typealias Answer = Swift.Result<UInt32, PostFailure>

  private func open(_ answer: @escaping (Answer) -> Void) -> Int {
    lastCall += 1
    openAnswers[lastCall] = answer
    return lastCall
  }

  private func end(_ call: Int, _ answer: Answer) { openAnswers.removeValue(forKey: call)?(answer) }

  /// The center has ended, or the bus: no answer comes any more.
  func endCalls() {
    for call in openAnswers.keys.sorted() { end(call, .failure(.gone)) }
  }

  /// A call of `Notify`.
  private struct PostCall {
    let number: Int
    let notification: ServerNotification
    let replaced: UInt32
    let sender: SimulatedCenter

    var title: String { notification.summary }
  }

  /// The bus answers for a server that has ended.
  private func isGone(_ call: PostCall) {
    wire.pass(.toCenter) { [self] in answered(call, .failure(.gone), nil) }
  }

  /// The center hears what has become of a notification.
  private func answered(_ call: PostCall, _ answer: Answer, _ showing: Int?) {
    look()
    model.lastAnswer = machine.now
    switch answer {
    case _ where call.sender.isDead: break
    case .success:
      if let showing { model.hearsOfShowing(showing) }
      shown()
    case .failure(.refused): model.refused(call.number, isForTheMoment: server.manner.refusesForTheMoment)
    case .failure: model.didNotArrive(call.number)
    }
    end(call.number, answer)
  }

  /// The server gets a notification.
  private func take(_ call: PostCall) {
    look()
    var showing: Int?
    let (fate, closed) = server.post(call.notification, replacing: call.replaced) { [self] result in
      var wasLost = false
      wire.pass(.toCenter, .answer) {
        wasLost = true
      } arrives: { [self] in
        answered(call, result, showing)
      }
      guard wasLost else { return }
      noteLoss()
      if let showing { model.answerIsLost(showing, of: call.number) }
    }
    model.hasStrangers = server.popups.keys.contains { fate != .shown($0) && model.screen.popups[$0] == nil }
    switch fate {
    case .refused:
      note("refused '\(call.title)'")
    case .crashes:
      note("'\(call.title)' is too much for the server")
      model.crashed(call.title)
      endServer()
      isGone(call)
      machine.after(1_000) { [self] in startServer() }
    case .hidden(let number):
      note("does not draw '\(call.title)', which gets \(number)")
      model.hidden(call.number)
      signal(.closed(posted(number), .expired))
    case .shown(let number):
      note("shows '\(call.title)' as \(number)" + (call.replaced == 0 ? "" : " for \(call.replaced)"))
      if let closed { makeRoom(closed) }
      showing =
        call.sender.isDead
        ? model.showsLate(call.number, as: number) : model.shows(call.number, as: number)
      let count = counts[call.title, default: 0] + 1
      counts[call.title] = count
      let limit = SimulatedUser.limit(of: call.notification, longest: server.manner.longest)
      let (reaction, time) = SimulatedUser.reaction(
        to: call.notification, showing: count, seed: script.seed, limit: limit)
      schedule(reaction, of: number, after: time)
      // The user leaves some alone that the model cannot tell.
      if let limit, reaction != .expire { schedule(.expire, of: number, after: limit) }
    }
    guard !call.sender.isDead, case .atPost(let count)? = ending?.moment else { return }
    ending?.moment = .atPost(count - 1)
    if count == 1 { endCenter() }
  }

  /// The server closes one for another.
  private func makeRoom(_ number: UInt32) {
    note("the server closes \(number) for it")
    let reason = server.manner.profile.room?.closingReason ?? 1
    let showing = model.closedForRoom(number, isClear: reason != 2)
    signal(.closed(posted(number), ClosedReason(rawValue: reason) ?? .undefined)) {
      if let showing { model.closingForRoomIsLost(showing) }
    } arrives: { [self] in
      guard let showing else { return }
      // Some give the reason of a user.
      if reason == 2 { model.hears(of: showing) } else { model.screen.arrived(showing, at: machine.awake) }
    }
  }

  func close(_ number: PostedNumber) {
    look()
    let storing = calls.values.compactMap { call in
      if case .notify(let spec, _, _, _) = call { spec.id } else { nil }
    }
    model.closes(number.number, replaced: Set(storing))
    wire.pass(.toServer, .call) { [self] in
      noteLoss()
      model.closingIsLost(number.number)
    } arrives: { [self] in
      guard let state = server.state, state.owner == number.server else { return }
      look()
      guard server.close(number.number) else {
        model.closedUnknown(number.number)
        if server.manner.profile.closesUnknown { closed(number, [3]) }
        return
      }
      note("closes \(number.number)")
      model.closed(number.number)
      closed(number, server.manner.profile.reasonsAfterClosing)
    }
  }

  // MARK: Signals

  func posted(_ number: UInt32) -> PostedNumber {
    // Only a server that is there speaks of its numbers.
    PostedNumber(server: server.state?.owner ?? ":1.0", number: number)
  }

  /// The signals come a little later than the change. Some servers say it twice.
  ///
  /// - Parameter showing: the one that has ended, of which the center does not know yet.
  func closed(_ number: PostedNumber, _ reasons: [UInt32], _ showing: Int? = nil) {
    let bus = bus
    server.whenGoing { [self] in
      machine.after(Int64(number.number % 3) * 40) { [self] in
        // The next bus may have a server with the same name.
        guard self.bus == bus else { return }
        var reasons = reasons
        if number.number % 7 == 0 { reasons += reasons.suffix(1) }
        for reason in reasons {
          signal(.closed(number, ClosedReason(rawValue: reason) ?? .undefined), showing)
        }
      }
    }
  }

  /// The server tells the center something.
  ///
  /// - Parameters:
  ///   - showing: what it is about, if the center does not know that yet.
  ///   - isKept: whether it cannot be lost.
  func signal(
    _ event: ServerEvent, _ showing: Int? = nil, isKept: Bool = false, lost: () -> Void = {},
    arrives: @escaping () -> Void = {}
  ) {
    guard let receiver = center, !receiver.isDead else { return }
    wire.pass(.toCenter, isKept ? nil : .signal) {
      noteLoss()
      lost()
    } arrives: { [self] in
      if receiver.isDead { return }
      look()
      arrives()
      if let showing { model.hears(of: showing) }
      receiver.receive(event)
    }
  }

  private func noteLoss() {
    note("a message is lost")
    look()
    model.messageIsLost()
  }
}

extension ServerNotification {
  var isTransient: Bool { hints["transient"]?.boolean ?? false }
}
