// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// Continues with the state that an earlier run of the center left, and starts the alarm.
final class Resumption {
  private let agenda: Agenda
  private let apps: Apps
  private let badges: Badges
  private let ends: Ends
  private let past: PastDeliveries
  private let deliveries: Deliveries
  private let responses: UnfinishedResponses

  init(
    agenda: Agenda, apps: Apps, badges: Badges, ends: Ends, past: PastDeliveries, deliveries: Deliveries,
    responses: UnfinishedResponses
  ) {
    self.agenda = agenda
    self.apps = apps
    self.badges = badges
    self.ends = ends
    self.past = past
    self.deliveries = deliveries
    self.responses = responses
  }

  func begin() throws(StoreError) {
    listen()
    for warning in agenda.store.warnings { Log.warning(warning) }
    let notice = try recoveryNotice()
    agenda.store.whenMended = { [weak self] in self?.storeWasMended() }
    apps.begin()
    deliveries.held.begin()
    badges.begin()
    try responses.takeUp()
    // These were due, and it is not known whether they were shown: they are shown, perhaps for the second time.
    var again: [Due] = []
    if let notice, notice.record == nil { again.append(notice) }
    for nag in try agenda.store.nagging() { ends.restore(nag) }
    // What has been answered ends with the first server.
    let answered = Set(try agenda.store.answeredWithoutEnd().map(\.number))
    for record in try agenda.store.openIntents() where !answered.contains(record.number) {
      if let due = try past.due(record, isAgain: true) { again.append(due) }
    }
    if !again.isEmpty { deliveries.deliver(Self.inOrder(again)) }
    try agenda.scheduler.start()
    agenda.upkeep.start()
  }

  /// By date: of a repetition that has missed some, the first date was recorded in its turn, and the last is shown. The
  /// dates of an id stay in the order of their records, because a later one may replace an earlier one.
  private static func inOrder(_ recorded: [Due]) -> [Due] {
    var ofID = Dictionary(grouping: recorded.reversed()) { RequestKey($0).base }
    return recorded.sorted { $0.date < $1.date }.compactMap { ofID[RequestKey($0).base]?.popLast() }
  }

  private func listen() {
    agenda.journal.report = { Log.error("could not record delivery state", $0.message) }
    agenda.scheduler.report = { Log.warning($0) }
    agenda.upkeep.report = { Log.warning($0) }
    agenda.scheduler.onDue = { [weak deliveries] due in deliveries?.deliver(due) }
    agenda.scheduler.onStored = { [weak deliveries] due in deliveries?.wereStored(due) }
    agenda.scheduler.onEnd = { [weak ends] records in ends?.tell(of: records) }
  }

  // MARK: Damage

  /// The store reports this in the middle of another operation, which has to finish first.
  private func storeWasMended() {
    agenda.time.callNext { [weak self] in
      guard let self, let notice = try? recoveryNotice() else { return }
      deliveries.deliver([notice])
      agenda.scheduler.rearm()
    }
  }

  private func recoveryNotice() throws(StoreError) -> Due? {
    try RecoveryNotice.due(in: agenda.store, now: agenda.time.wall)
  }
}
