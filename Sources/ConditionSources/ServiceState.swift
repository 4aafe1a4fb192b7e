// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel

/// What a service says, for all subjects of a source that it answers: read once for all of them, while at least one is
/// watched.
final class ServiceState<State> {
  /// Called with each watched subject when the state is known, and with each change.
  var tell: (Condition.Subject, State) -> Void = { _, _ in }
  /// Called with each watched subject when nothing is known any more, and why.
  var lose: (Condition.Subject, String) -> Void = { _, _ in }
  private var subjects: Set<Condition.Subject> = []
  private var known: State?
  /// Why nothing is known; nil if something is, or if the first answer is still to come.
  private var reason: String?
  private var follower: ServiceFollower?
  private let rules: [MatchRule]
  private let makeFollower: (ServiceState) -> ServiceFollower

  /// - Parameters:
  ///   - title: the name of the service for the user.
  ///   - rules: the signals after which the state is read again.
  ///   - read: reads the state from the owner of the name; returns nil if the service does not say it.
  init(
    _ service: BusName, title: String, on bus: SourceBus, loop: EventLoop, rules: [MatchRule],
    read: @escaping (FollowedService) async throws(CallError) -> State?
  ) {
    self.rules = rules
    makeFollower = { state in
      ServiceFollower(service, title: title, on: bus, loop: loop) {
        [weak state] (service) throws(CallError) in
        if let found = try await read(service) { state?.know(found) }
      } lose: { [weak state] reason in
        state?.forget(reason)
      }
    }
  }

  func watch(_ subject: Condition.Subject) {
    subjects.insert(subject)
    if let known { return tell(subject, known) }
    // The follower does not ask again for this subject.
    if let reason, follower != nil { lose(subject, reason) }
    let follower = follower ?? makeFollower(self)
    self.follower = follower
    follower.follow(rules)
  }

  func unwatch(_ subject: Condition.Subject) {
    subjects.remove(subject)
    guard subjects.isEmpty else { return }
    follower?.stop()
    (follower, known, reason) = (nil, nil, nil)
  }

  private func know(_ state: State) {
    // An answer may come after the last subject has gone. Nothing would keep it up to date.
    guard follower != nil else { return }
    (known, reason) = (state, nil)
    for subject in subjects { tell(subject, state) }
  }

  private func forget(_ reason: String) {
    (known, self.reason) = (nil, reason)
    for subject in subjects { lose(subject, reason) }
  }
}
