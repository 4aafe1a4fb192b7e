// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
public import Triggers

/// The first dates of a request, found in slices so that other work can run in between.
public struct Preview {
  /// In seconds since 1970.
  public private(set) var dates: [Int64] = []
  private let plan: Plan
  private let count: Int
  private var search: DateSearch
  private var next: PlannedDate?
  private var fired: Int64 = 0

  /// The limit of steps for all dates together: some 200 ms, in many turns.
  static let mostSteps = 20 * DateSearch.mostSteps

  init(
    _ request: NotificationRequest, count: Int, made: Timestamp, zones: any ZoneSource
  ) throws(TriggerError) {
    var search = DateSearch(altogether: Self.mostSteps)
    plan = try Plan(request, made: made, zones: zones, &search)
    self.count = count
    switch try plan.start(made: made, &search) {
    case .now: dates = [made.milliseconds / 1000]
    case .at(let first, let passed): (next, fired) = (first, passed)
    // Its date is unknown until the condition becomes true.
    case .armed: break
    }
    self.search = search
  }

  /// The coming dates of a stored request; none if it waits for no date.
  init(_ stored: StoredRequest, count: Int, zones: any ZoneSource) throws(TriggerError) {
    guard let request = Payload.request(stored) else { throw TriggerError.unreadable }
    var search = DateSearch(altogether: Self.mostSteps)
    plan = try Plan(stored: request, made: stored.created, zones: zones, &search)
    self.count = count
    next = stored.wait?.date
    fired = stored.fired
    self.search = search
  }

  /// Finds some more; returns true if there are enough, or no more.
  public mutating func goOn() throws(TriggerError) -> Bool {
    let end = search.taken + Scheduler.stepsPerTurn
    var left = Scheduler.slice
    while let date = next {
      guard dates.count < count else { return true }
      guard search.taken < end, left > 0 else { return false }
      left -= 1
      search.renew()
      dates.append(date.due.milliseconds / 1000)
      if dates.count == count { return true }
      let step = try plan.step(date, fired: fired, now: date.due, &search)
      (fired, next) = (step.fired, step.next?.date)
    }
    return true
  }
}
