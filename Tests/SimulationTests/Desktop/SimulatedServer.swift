// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop
import SuzuTesting

@testable import suzud

/// The notification server of the simulated desktop: it ends and starts again, answers late, and refuses for a moment;
/// the rest is its manner.
final class SimulatedServer {
  struct Popup {
    let notification: ServerNotification
    /// Another one after each change of it.
    let version: Int
  }

  /// What the server does with a notification.
  enum Fate: Equatable {
    case shown(UInt32)
    /// It has a number, and is not drawn.
    case hidden(UInt32)
    case refused
    case crashes
  }

  private let machine: SimulatedMachine
  let manner: ServerManner
  private(set) var popups: [UInt32: Popup] = [:]
  private var lastNumber: UInt32 = 0
  private var versions = 0
  /// The bus that it is on. Each bus gives the same names anew.
  var bus = SimulatedBus() { didSet { starts = 0 } }
  /// The number of servers on this bus so far; 0 before the first one.
  private var starts = 0
  private(set) var isUp = false
  private var startedAt: Int64 = 0
  /// When it got the last notification.
  private var lastPost: Int64 = .min / 2
  /// How long it takes to answer, in milliseconds.
  var answerTime: Int64 = 0
  /// How many notifications it will refuse.
  var refusals = 0
  /// When each text came last.
  private var texts: [String: Int64] = [:]
  /// Answers that it has yet to give.
  private var open: [Int: (Result<UInt32, PostFailure>) -> Void] = [:]
  private var lastOpen = 0
  /// Whether it does nothing for now.
  private(set) var isHung = false
  /// What it does when it goes on, in this order.
  private var later: [() -> Void] = []

  init(_ manner: ServerManner, on machine: SimulatedMachine) {
    self.manner = manner
    self.machine = machine
  }

  private var profile: ServerProfile { manner.profile }

  /// What the center reads of it; nil if there is none.
  var state: ServerState? {
    guard isUp, let name = BusName(":1.\(starts + 10)") else { return nil }
    return ServerState(
      owner: name, bus: bus.text,
      information: ServerInformation(name: profile.name, vendor: profile.vendor, version: profile.version),
      capabilities: Set(profile.capabilities.map { Capability(rawValue: $0) }), settings: ServerSettings())
  }

  func start() {
    isUp = true
    starts += 1
    startedAt = machine.now
    lastPost = .min / 2
    lastNumber = profile.firstNumber - 1
  }

  func end() {
    isUp = false
    isHung = false
    later = []
    popups = [:]
    texts = [:]
    refuseOpen()
  }

  /// The center has left the bus, and this server ends what it shows for it.
  func endWithSender() { popups = [:] }

  func hang() { isHung = true }

  /// It goes on after it has hung.
  func goOn() {
    isHung = false
    doNext()
  }

  private func doNext() {
    if isHung || later.isEmpty { return }
    machine.after(0) { [self] in
      if isHung || later.isEmpty { return }
      later.removeFirst()()
      doNext()
    }
  }

  /// Does something; if it hangs, or has not done all since, after all that.
  func whenGoing(_ body: @escaping () -> Void) {
    if isHung || !later.isEmpty { later.append(body) } else { body() }
  }

  // MARK: Calls

  /// Takes a notification, or not; `answer` gets its number, when the server answers.
  ///
  /// - Returns: what it does with it, and the number of the notification that it closes to make room.
  func post(
    _ notification: ServerNotification, replacing number: UInt32,
    answer: @escaping (Result<UInt32, PostFailure>) -> Void
  ) -> (fate: Fate, closed: UInt32?) {
    let isRepeat =
      profile.refusesRepetition != nil && texts[notification.summary].map { machine.now < $0 + 1_000 } == true
    texts[notification.summary] = machine.now
    defer { lastPost = machine.now }
    if machine.now < lastPost + manner.rest { return (.crashes, nil) }
    let isNew = popups[number] == nil
    let isFull = isNew && profile.room.map { popups.count >= $0.limit } == true
    if isFull, profile.room?.overflow == .crashes { return (.crashes, nil) }
    let refusal = manner.refusal
    if refusals > 0 || isRepeat || isFull && profile.room?.refuses == true {
      refusals = max(0, refusals - 1)
      answer(.failure(.refused(name: refusal.name, message: refusal.message)))
      return (.refused, nil)
    }
    let given = isNew ? newNumber(insteadOf: number) : number
    let isHidden =
      machine.now < startedAt + manner.blindTime || isNew && manner.drawn.map { popups.count >= $0 } == true
    let closed = isFull ? popups.min { $0.value.version < $1.value.version }?.key : nil
    if let closed { popups[closed] = nil }
    versions += 1
    popups[given] = isHidden ? nil : Popup(notification: notification, version: versions)
    lastOpen += 1
    let call = lastOpen
    open[call] = answer
    machine.after(answerTime) { [self] in
      whenGoing { [self] in open.removeValue(forKey: call)?(.success(given)) }
    }
    return (isHidden ? .hidden(given) : .shown(given), closed)
  }

  private func newNumber(insteadOf number: UInt32) -> UInt32 {
    if profile.believesNumbers, number != 0 { return number }
    repeat { lastNumber += 1 } while popups[lastNumber] != nil
    return lastNumber
  }

  /// Removes a notification; returns whether it was there.
  func close(_ number: UInt32) -> Bool { popups.removeValue(forKey: number) != nil }

  /// Lets all open calls fail.
  private func refuseOpen() {
    for call in open.keys.sorted() { open.removeValue(forKey: call)?(.failure(.gone)) }
  }
}

extension ServerProfile.Room {
  var refuses: Bool {
    if case .refuses = overflow { true } else { false }
  }

  /// The reason with which the oldest notification is closed for a new one.
  var closingReason: UInt32? {
    if case .closesOldest(let reason) = overflow { reason } else { nil }
  }
}

extension ServerManner {
  /// The error with which it refuses a notification.
  var refusal: (name: String, message: String) {
    if case .refuses(let error, let message)? = profile.room?.overflow { return (error, message) }
    return profile.refusesRepetition.map { ($0, "Created too many similar") } ?? ("org.example.Error.Busy", "too many")
  }

  /// Whether that error says nothing about the notification.
  var refusesForTheMoment: Bool { profile.room?.refuses == true || profile.refusesRepetition != nil }
}
