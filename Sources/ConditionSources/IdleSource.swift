// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// How long there was no input: by the idle monitor of GNOME; elsewhere by the Wayland compositor, the screen saver of
/// KDE, or the hint that desktops give to logind.
final class IdleSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private var durations: Set<Duration> = []
  private let monitor: IdleMonitor
  /// Those that are asked without an idle monitor. None of them knows more than another: a desktop may answer and
  /// always say that there was input, as Plasma does on Wayland, so that one that says idle is believed.
  private let others: [any IdleTeller]
  /// What each of them says; nil if it does not know.
  private var answers: [[Duration: Bool]?]
  private var hasMonitor = false

  /// - Parameter wayland: the compositor of the session, which need not run.
  init(on loop: EventLoop, system: SystemBusLink, session: Connection, wayland: WaylandIdle.Display? = nil) {
    monitor = IdleMonitor(on: loop, session: session)
    let compositor = wayland.map { [WaylandIdle(on: loop, $0)] } ?? []
    others = compositor + [SaverIdleTime(on: loop, session: session), IdleHint(on: loop, system: system)]
    answers = others.map { _ in nil }
    monitor.tell = { [weak self] in self?.monitored($0) }
    for (index, other) in others.enumerated() {
      other.tell = { [weak self] in self?.answered($0, by: index) }
    }
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .idle = subject { true } else { false } }

  func watch(_ subject: Condition.Subject) {
    guard case .idle(let duration) = subject else { return }
    durations.insert(duration)
    monitor.follow(durations)
    if !hasMonitor { for other in others where other.isRunning { other.follow(durations) } }
  }

  func unwatch(_ subject: Condition.Subject) {
    guard case .idle(let duration) = subject else { return }
    durations.remove(duration)
    monitor.follow(durations)
    for other in others where other.isRunning { other.follow(durations) }
    if durations.isEmpty { answers = others.map { _ in nil } }
  }

  private func monitored(_ states: [Duration: Bool]?) {
    hasMonitor = states != nil
    guard let states else {
      for other in others where !other.isRunning { other.follow(durations) }
      return
    }
    for other in others { other.follow([]) }
    answers = others.map { _ in nil }
    for (duration, isIdle) in states { whenObserved(.idle(duration), .holds(isIdle)) }
  }

  private func answered(_ states: [Duration: Bool]?, by index: Int) {
    answers[index] = states
    if hasMonitor { return }
    let known = answers.compactMap { $0 }
    for duration in durations {
      let told = known.compactMap { $0[duration] }
      if !told.isEmpty {
        whenObserved(.idle(duration), .holds(told.contains(true)))
      } else if known.isEmpty {
        whenObserved(.idle(duration), .unknown("no program tells how long there was no input"))
      }
    }
  }
}

/// Something that tells how long there was no input.
protocol IdleTeller: AnyObject {
  /// Called with each duration, and whether there was no input for that long; with nil if nothing is known.
  var tell: ([Duration: Bool]?) -> Void { get set }
  var isRunning: Bool { get }
  /// Follows these durations; none ends it.
  func follow(_ durations: Set<Duration>)
}
