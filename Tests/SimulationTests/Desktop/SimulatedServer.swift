// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Freedesktop

@testable import suzud

/// The notification server of the simulated desktop: it ends and starts again, answers late, and refuses for a moment;
/// the rest is its manner.
final class SimulatedServer {
  struct Popup {
    let notification: ServerNotification
    /// Another one after each change of it.
    let version: Int
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
  /// How long it takes to answer, in milliseconds.
  var answerTime: Int64 = 0
  /// How many notifications it will refuse.
  var refusals = 0
  /// When each text came last.
  private var texts: [String: Int64] = [:]
  /// Answers that are on their way to the center.
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

  /// What the center reads of it; nil if there is none.
  var state: ServerState? {
    guard isUp, let name = BusName(":1.\(starts + 10)") else { return nil }
    return ServerState(
      owner: name, bus: bus.text,
      information: ServerInformation(name: manner.name, vendor: "suzu", version: manner.version),
      capabilities: manner.capabilities, settings: ServerSettings())
  }

  func start() {
    isUp = true
    starts += 1
    lastNumber = 0
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

  /// Shows a notification; `answer` gets its number, when the server answers. Returns its number at once, nil if it is
  /// refused.
  func post(
    _ notification: ServerNotification, replacing number: UInt32,
    answer: @escaping (Result<UInt32, PostFailure>) -> Void
  ) -> UInt32? {
    guard isUp else {
      answer(.failure(.gone))
      return nil
    }
    let isRepeat = manner.refusesRepeats && texts[notification.summary].map { machine.now < $0 + 1_000 } == true
    texts[notification.summary] = machine.now
    guard refusals == 0, !isRepeat, popups[number] != nil || popups.count < manner.room else {
      refusals = max(0, refusals - 1)
      answer(.failure(.refused(name: manner.refusal.name, message: manner.refusal.message)))
      return nil
    }
    var given = number
    if popups[number] == nil {
      lastNumber += 1
      given = lastNumber
    }
    versions += 1
    popups[given] = Popup(notification: notification, version: versions)
    lastOpen += 1
    let call = lastOpen
    open[call] = answer
    machine.after(answerTime) { [self] in
      whenGoing { [self] in open.removeValue(forKey: call)?(.success(given)) }
    }
    return given
  }

  /// Removes a notification; returns whether it was there.
  func close(_ number: UInt32) -> Bool { popups.removeValue(forKey: number) != nil }

  /// Lets all open calls fail.
  func refuseOpen() {
    for call in open.keys.sorted() { open.removeValue(forKey: call)?(.failure(.gone)) }
  }
}
