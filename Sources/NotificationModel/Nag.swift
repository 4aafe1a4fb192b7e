// SPDX-License-Identifier: Apache-2.0

/// How a notification is shown again and again until it is answered: the keys `nag`, `escalate` and `max`.
///
/// It is checked when it becomes part of a request.
public struct Nag: Hashable, Sendable {
  /// `nag`: the time from one showing to the next; nil if only the steps show it again.
  public let pause: Duration?
  /// `escalate`: the changes for a notification that stays unanswered, in order.
  public let steps: [Step]
  /// `max`: how many times it is shown at most, the first time included; nil for no limit.
  public let most: Int?

  /// A change for a notification that stays unanswered. It is shown again then; what a step does not name stays as it
  /// was.
  public struct Step: Hashable, Sendable {
    /// The time since the notification was shown first.
    public var after: Duration
    /// The urgency from then on.
    public var level: NotificationRequest.Level?
    /// The sound from then on.
    public var sound: Sound?
    /// The style from then on.
    public var style: NotificationRequest.Style?
    /// The category, and so the buttons, from then on.
    public var category: CategoryID?
    /// Where it is sent when the step comes, such as to a phone; nil if it is not sent.
    public var push: PushTarget?

    /// Creates a step.
    public init(
      after: Duration, level: NotificationRequest.Level? = nil, sound: Sound? = nil,
      style: NotificationRequest.Style? = nil, category: CategoryID? = nil, push: PushTarget? = nil
    ) {
      self.after = after
      self.level = level
      self.sound = sound
      self.style = style
      self.category = category
      self.push = push
    }
  }

  /// A link of the user, over which `suzu-link` sends.
  public enum PushTarget: Hashable, Sendable {
    /// The only link that sends.
    case onlyLink
    /// The link with this name.
    case link(String)
  }

  /// The shortest time between two showings.
  public static let shortestPause: Duration = .seconds(10)
  /// The highest number of steps.
  public static let mostSteps = 20
  /// The highest `max`.
  public static let mostShowings = 10_000

  /// Shown again after each pause, and with each step.
  public static func every(_ pause: Duration, escalating steps: [Step] = [], atMost most: Int? = nil) -> Nag {
    Nag(trusted: pause, steps, most: most)
  }

  /// Shown again with each step only.
  public static func escalating(_ steps: [Step], atMost most: Int? = nil) -> Nag {
    Nag(trusted: nil, steps, most: most)
  }

  init(trusted pause: Duration?, _ steps: [Step], most: Int?) {
    self.pause = pause
    self.steps = steps
    self.most = most
  }
}

// MARK: - Showing again

extension Nag {
  /// The time from one showing to the next; nil if there is no next one.
  ///
  /// - Parameters:
  ///   - count: how many times it has been shown.
  ///   - age: the time from the first showing to the last one.
  package func pause(afterShowings count: Int, age: Duration) -> Duration? {
    if let most, count >= most { return nil }
    let step = steps.first { $0.after > age }.map { $0.after - age }
    guard let pause else { return step }
    return step.map { min($0, pause) } ?? pause
  }

  /// Whether it is shown again after so many showings, the last of them with this step.
  package func isShownAgain(afterShowings count: Int, step: Int) -> Bool {
    if let most, count >= most { return false }
    return pause != nil || step < steps.count
  }

  /// What is sent once so many steps have come: for each link the last step that names it, in order. A machine that was
  /// off does not send what a later step has overtaken.
  package func pushes(at step: Int) -> [(step: Int, target: PushTarget)] {
    var found: [(step: Int, target: PushTarget)] = []
    for index in steps.indices.prefix(step).reversed() {
      guard let target = steps[index].push, !found.contains(where: { $0.target == target }) else { continue }
      found.append((index + 1, target))
    }
    return found.reversed()
  }

  /// How many steps have come at this age.
  package func step(at age: Duration) -> Int { steps.count { $0.after <= age } }
}

extension NotificationRequest {
  /// The request with the changes of its first steps; unchanged without any.
  package func escalated(to step: Int) -> NotificationRequest {
    var changed = self
    changed.escalate(to: step)
    return changed
  }

  /// Makes the changes of its first steps, if it has any.
  package mutating func escalate(to step: Int) {
    guard step > 0, let steps = content.nag?.steps.prefix(step) else { return }
    for step in steps {
      if let level = step.level { content.level = level }
      if let sound = step.sound { content.sound = sound }
      if let style = step.style { content.style = style }
      if let category = step.category { content.category = category }
    }
  }
}
