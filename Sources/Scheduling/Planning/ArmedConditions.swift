// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The conditions that stored requests wait for, armed at their sources.
final class ArmedConditions {
  private struct Armed {
    let source: any ConditionSource
    /// The requests that wait for it, by revision.
    var revisions: Set<StoredRequest.Revision> = []
  }

  /// A request whose condition has become true.
  struct Met {
    let revision: StoredRequest.Revision
    /// When it became true.
    let date: Timestamp
  }

  private let sources: [any ConditionSource]
  private var armed: [Condition: Armed] = [:]
  private var conditions: [StoredRequest.Revision: Condition] = [:]
  /// Requests to be fired, in the order in which their conditions became true.
  private(set) var met: [Met] = []
  /// The newest request that was looked at.
  private(set) var last = StoredRequest.Revision.none

  init(_ sources: [any ConditionSource]) { self.sources = sources }

  /// Whether there is no condition to arm.
  var hasNoSource: Bool { sources.isEmpty }

  /// The condition that a request waits for; nil if no source knows one.
  func condition(of request: NotificationRequest) -> Condition? { find(request)?.condition }

  private func find(_ request: NotificationRequest) -> (condition: Condition, source: any ConditionSource)? {
    for source in sources {
      if let condition = source.condition(of: request) { return (condition, source) }
    }
    return nil
  }

  /// Calls `whenMet` when armed conditions become true, until ``end()``.
  func start(_ whenMet: @escaping (Condition) -> Void) {
    for source in sources { source.whenMet = whenMet }
  }

  func end() {
    for source in sources { source.whenMet = { _ in } }
    for (condition, armed) in armed { armed.source.disarm(condition) }
    (armed, conditions, met) = ([:], [:], [])
  }

  /// Arms the condition of a request that waits for one; the requests must come in the order of their revisions.
  func arm(_ stored: StoredRequest) {
    last = stored.revision
    guard let request = Payload.request(stored), let (condition, source) = find(request) else { return }
    let isFirst = armed[condition] == nil
    armed[condition, default: Armed(source: source)].revisions.insert(stored.revision)
    conditions[stored.revision] = condition
    // Last, because it may be true already.
    if isFirst { source.arm(condition) }
  }

  /// Takes the requests that wait for a condition that has become true. They wait for it once.
  func take(_ condition: Condition, at date: Timestamp) {
    guard let armed = armed.removeValue(forKey: condition) else { return }
    let revisions = armed.revisions.sorted()
    for revision in revisions { conditions[revision] = nil }
    met += revisions.map { Met(revision: $0, date: date) }
    armed.source.disarm(condition)
  }

  /// Forgets requests that were replaced or cancelled.
  func forget(_ revisions: [StoredRequest.Revision]) {
    for revision in revisions {
      guard let condition = conditions.removeValue(forKey: revision), var rest = armed[condition] else { continue }
      rest.revisions.remove(revision)
      armed[condition] = rest.revisions.isEmpty ? nil : rest
      if rest.revisions.isEmpty { rest.source.disarm(condition) }
    }
  }

  /// Removes the first requests from those to be fired.
  func removeMet(_ count: Int) { met.removeFirst(count) }

  /// Removes requests that were shown without having been written.
  func removeMet(where isShown: (StoredRequest.Revision) -> Bool) { met.removeAll { isShown($0.revision) } }
}
