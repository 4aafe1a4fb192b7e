// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing

/// Tests the ids of requests that come without one.
@Suite struct NewIDsTests {
  private static func ids(_ count: Int, every pause: Duration = .zero, seed: UInt64 = 1) -> [String] {
    var (ids, numbers) = (NewIDs(), SeededNumbers(seed: seed))
    return (0..<count).map { ids.next(at: pause * $0, using: &numbers).text }
  }

  @Test func `An id is ten letters and digits that cannot be confused`() {
    for id in Self.ids(2000) {
      #expect(id.count == 10 && id.allSatisfy("23456789abcdefghijkmnpqrstuvwxyz".contains), "\(id)")
    }
  }

  @Test func `Ids made in quick succession are neighbours in the order of the store, and all different`() {
    let ids = Self.ids(400)
    #expect(Set(ids).count == ids.count)
    // One step in the order: where the numbers begin again at zero.
    #expect(zip(ids, ids.dropFirst()).count { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) } >= 398)
    #expect(Set(ids.map { $0.prefix(5) }).count <= 2)
  }

  @Test(arguments: [1, 7, 1 << 40])
  func `An id a second later, or after many others, is unrelated to the one before`(seed: UInt64) {
    let slow = Self.ids(50, every: .seconds(1), seed: seed)
    #expect(Set(slow.map { $0.prefix(4) }).count == slow.count)
    let many = Self.ids(16_385, seed: seed)
    #expect(many[16_384].prefix(4) != many[16_383].prefix(4))
  }

  @Test func `A hundred thousand ids are different`() {
    #expect(Set(Self.ids(100_000, every: .microseconds(100))).count == 100_000)
  }
}
