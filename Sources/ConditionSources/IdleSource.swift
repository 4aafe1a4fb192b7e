// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// How long there was no input: by the idle monitor of GNOME; elsewhere by the Wayland compositor, the screen saver of
/// KDE, or the hint that desktops give to logind.
final class IdleSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private var watched: Set<Duration> = []
  /// Requests that wait until it is known whether any service reports input.
  private var probes: [UInt64: Probe] = [:]
  private var lastProbe: UInt64 = 0
  /// Whether no service reports input, as of the last probe.
  private var isMissing = false
  private let monitor: IdleMonitor
  /// Those that are asked without an idle monitor. None of them knows more than another: a desktop may answer and
  /// always say that there was input, as Plasma does on Wayland, so that one that says idle is believed.
  private let others: [any IdleTeller]
  /// What each of them says; nil if it does not know.
  private var answers: [[Duration: Bool]?]
  /// The services of a bus among them, which answer within a time limit. A compositor may never answer.
  private let services: Range<Int>
  /// Those that have said what they know, or that they know nothing.
  private var answered: Set<Int> = []
  private var hasMonitor = false

  /// Why a request is refused.
  private static let absence = "no desktop, Wayland compositor or logind tells how long there was no input"
  /// The longest time that a request waits for that. A service that hangs counts as one that reports input.
  private static let probeLimit: Duration = .seconds(1)

  private let loop: EventLoop

  /// - Parameter wayland: the compositor of the session, which need not run.
  init(on loop: EventLoop, system: SystemBusLink, session: Connection, wayland: WaylandIdle.Display? = nil) {
    self.loop = loop
    monitor = IdleMonitor(on: loop, session: session)
    let compositor = wayland.map { [WaylandIdle(on: loop, $0)] } ?? []
    others = compositor + [SaverIdleTime(on: loop, session: session), IdleHint(on: loop, system: system)]
    answers = others.map { _ in nil }
    services = compositor.count..<others.count
    monitor.tell = { [weak self] in self?.monitored($0) }
    for (index, other) in others.enumerated() {
      other.tell = { [weak self] in self?.take($0, by: index) }
    }
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .idle = subject { true } else { false } }

  private struct Probe {
    let duration: Duration
    var waiting: CheckedContinuation<Void, Never>?
  }

  private var durations: Set<Duration> { watched.union(probes.values.map(\.duration)) }

  /// Finds out whether any service reports input. Takes a moment unless a condition is watched already.
  func prepare(_ subject: Condition.Subject) async {
    guard case .idle(let duration) = subject else { return }
    lastProbe += 1
    let number = lastProbe
    probes[number] = Probe(duration: duration)
    if !isAnswered {
      let limit = loop.schedule(after: Self.probeLimit) { [weak self] in self?.endProbe(number) }
      await withCheckedContinuation { waiting in
        probes[number]?.waiting = waiting
        follow()
      }
      limit.cancel()
    }
    isMissing = isAnswered && !([monitor] + others).contains { $0.isOffered }
    probes[number] = nil
    follow()
  }

  func refusal(of subject: Condition.Subject) -> String? { isMissing ? Self.absence : nil }

  private func endProbe(_ number: UInt64) { probes[number]?.waiting.take()?.resume() }

  /// Whether all have said what they know, or one that needs no other.
  private var isAnswered: Bool {
    hasMonitor || answers.contains { $0 != nil } || answered.isSuperset(of: services)
  }

  func watch(_ subject: Condition.Subject) {
    guard case .idle(let duration) = subject else { return }
    watched.insert(duration)
    follow()
  }

  func unwatch(_ subject: Condition.Subject) {
    guard case .idle(let duration) = subject else { return }
    watched.remove(duration)
    follow()
  }

  private func follow() {
    let durations = durations
    monitor.follow(durations)
    if !hasMonitor { for other in others where other.isRunning { other.follow(durations) } }
    guard durations.isEmpty else { return }
    hasMonitor = false
    forgetAnswers()
  }

  private func forgetAnswers() {
    answers = others.map { _ in nil }
    answered = []
  }

  private func monitored(_ states: [Duration: Bool]?) {
    hasMonitor = states != nil
    guard let states else {
      for other in others where !other.isRunning { other.follow(durations) }
      return
    }
    for other in others { other.follow([]) }
    forgetAnswers()
    for (duration, isIdle) in states { whenObserved(.idle(duration), .holds(isIdle)) }
    endProbes()
  }

  private func endProbes() {
    guard isAnswered else { return }
    for number in probes.keys { endProbe(number) }
  }

  private func take(_ states: [Duration: Bool]?, by index: Int) {
    answers[index] = states
    answered.insert(index)
    if hasMonitor { return }
    let known = answers.compactMap { $0 }
    for duration in durations {
      let told = known.compactMap { $0[duration] }
      if !told.isEmpty {
        whenObserved(.idle(duration), .holds(told.contains(true)))
      } else if known.isEmpty, answered.isSuperset(of: services) {
        whenObserved(.idle(duration), .unknown(Self.absence))
      }
    }
    endProbes()
  }
}

/// Something that tells how long there was no input.
protocol IdleTeller: AnyObject {
  /// Called with each duration, and whether there was no input for that long; with nil if nothing is known.
  var tell: ([Duration: Bool]?) -> Void { get set }
  var isRunning: Bool { get }
  /// Whether the service runs, even if it does not answer.
  var isOffered: Bool { get }
  /// Follows these durations; none ends it.
  func follow(_ durations: Set<Duration>)
}
