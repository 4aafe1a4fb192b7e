// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// The responses that the disk did not take when they were to be stored. Each is stored before all that is written
/// next. Its action does not wait for that: a click must not be lost because the disk is full.
final class UnstoredResponses {
  private let journal: Journal
  /// Whether the action of each has begun. It is stored with the response: a center that ends before then has forgotten
  /// both, and carries out nothing twice.
  private var begun: [ResponseRecord.Number: Bool] = [:]

  init(journal: Journal) { self.journal = journal }

  /// Stores a response as soon as the disk takes it; returns its number.
  ///
  /// - Parameters:
  ///   - begins: whether its action begins now.
  ///   - commit: stores it with this number, and whether its action has begun.
  ///   - done: called once it is stored.
  func store(
    begins: Bool, _ commit: @escaping (Store, ResponseRecord.Number, Bool) throws(StoreError) -> Void,
    then done: @escaping () -> Void
  ) -> ResponseRecord.Number {
    let number = journal.reserveResponse()
    begun[number] = begins
    journal.note { [self] store throws(StoreError) in
      try commit(store, number, begun[number] ?? begins)
    } then: { [self] in
      begun[number] = nil
      done()
    }
    return number
  }

  /// Keeps whether the action of the response has begun. Returns false if the response is on disk, where that must be
  /// recorded.
  func keep(_ number: ResponseRecord.Number, hasBegun: Bool) -> Bool {
    guard begun[number] != nil else { return false }
    begun[number] = hasBegun
    return true
  }
}
