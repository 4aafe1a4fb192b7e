// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Whether the user is away: the session is locked, or there was no input for a while.
///
/// It is followed only while a setting needs it. A source that knows nothing does not count; one of the lock that does
/// not answer leaves the state unknown.
final class Absence {
  enum State {
    case unknown, present, away
  }

  private let loop: EventLoop
  private let sources: [any ConditionSource]
  /// How long there must be no input.
  private let idle: Duration
  private(set) var state = State.present
  /// Called when the state has changed.
  var whenChanged: () -> Void = {}
  private var isFollowed = false
  /// Nil until a source has told it.
  private var isLocked: Bool?
  private var isIdle: Bool?
  private var limit: EventLoop.Deadline?

  /// How long a notification may wait until it is known how long there was no input.
  static let answerLimit: Duration = .seconds(2)

  /// - Parameters:
  ///   - sources: of the conditions `unlocked` and `idle`; those that are missing do not count.
  ///   - idle: how long there must be no input; zero if that does not count.
  init(on loop: EventLoop, sources: [any ConditionSource], idle: Duration) {
    self.loop = loop
    self.sources = sources
    self.idle = idle
  }

  /// Follows the state, or does no more; then the user counts as present.
  func follow(_ isNeeded: Bool) {
    guard isNeeded != isFollowed else { return }
    isFollowed = isNeeded
    limit?.cancel()
    limit = nil
    let watched = subjects.compactMap { subject in
      sources.first { $0.observes(subject) }.map { (source: $0, subject: subject) }
    }
    guard isNeeded else {
      for (source, subject) in watched {
        source.whenObserved = { _, _ in }
        source.unwatch(subject)
      }
      return update()
    }
    let known = Set(watched.map(\.subject))
    (isLocked, isIdle) = (known.contains(.unlocked) ? nil : false, known.contains(.idle(idle)) ? nil : false)
    if isIdle == nil {
      limit = loop.schedule(after: Self.answerLimit) { [weak self] in
        guard let self, isIdle == nil else { return }
        isIdle = false
        update()
      }
    }
    for (source, _) in watched { source.whenObserved = { [weak self] in self?.observed($0, $1) } }
    update()
    // Last, because a source may tell its state at once.
    for (source, subject) in watched { source.watch(subject) }
  }

  /// Ends for good, without a change.
  func end() {
    whenChanged = {}
    follow(false)
  }

  private var subjects: [Condition.Subject] { [.unlocked] + (idle > .zero ? [.idle(idle)] : []) }

  /// A source has told a state.
  func observed(_ subject: Condition.Subject, _ observation: Observation) {
    guard isFollowed else { return }
    switch (subject, observation) {
    case (.unlocked, .holds(let isUnlocked, _)): isLocked = !isUnlocked
    case (.unlocked, .unknown): isLocked = nil
    case (.idle, .holds(let holds, _)): isIdle = holds
    case (.idle, .unknown): isIdle = false
    default: return
    }
    update()
  }

  private func update() {
    let before = state
    if !isFollowed {
      state = .present
    } else if isLocked == true || isIdle == true {
      state = .away
    } else {
      state = isLocked == nil || isIdle == nil ? .unknown : .present
    }
    if state != before { whenChanged() }
  }
}
