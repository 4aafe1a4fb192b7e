// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests what is stored of a response that the disk did not take at first.
@Suite struct UnstoredResponsesTests {
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)

  // The mark that the disk had not taken the response was never removed: if the disk failed again as the app attached,
  // the app got the response without a record, and got it again after a restart.
  @Test(arguments: [false, true])
  func `A response is stored with the latest mark of its action, and marked on disk from then on`(
    isTakenBack: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let store = try Store(folder: folder.path("suzu")) { Self.now }
    let journal = Journal(store: store, time: SetTime())
    let unstored = UnstoredResponses(journal: journal)
    let due = Due(
      try NotificationRequest(app: "org.example.Tea", id: RequestID("a"), title: "Tea"),
      record: Due.Record(delivery: .init(1), revision: .init(1)), date: Self.now)
    var (isFailing, isStored) = (true, false)
    let number = unstored.store(begins: false) { store, number, begins throws(StoreError) in
      if isFailing { throw StoreError(.inputOutput, "test") }
      _ = try store.commitResponse(to: due, action: "ok", reply: nil, begins: begins, as: number, now: Self.now)
    } then: {
      isStored = true
    }
    journal.flush()
    #expect(unstored.keep(number, hasBegun: true) && !isStored)
    if isTakenBack { #expect(unstored.keep(number, hasBegun: false)) }
    isFailing = false
    journal.flush()
    #expect(isStored && !unstored.keep(number, hasBegun: true))
    let stored = try store.unfinishedResponses()
    #expect(stored.map(\.number) == [number] && stored.map(\.state) == [isTakenBack ? .committed : .running])
  }
}
