// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DBus
@testable import EventLoop

/// Tests the table of calls without an answer.
struct PendingCallsTests {
  /// Makes calls, which are known by their serial.
  private struct Maker {
    let deadline: EventLoop.Deadline

    init() throws {
      let loop = try EventLoop()
      var heap = DeadlineHeap()
      deadline = EventLoop.Deadline(loop: loop, timers: loop.monotonicTimers, key: heap.insert(at: .zero) {})
    }

    func call(_ serial: UInt32) -> PendingCall {
      let owner = BusName(":1.\(serial)")
      return PendingCall(
        caller: { _ in }, answerer: Answerer(destination: .bus, owner: owner), deadline: deadline, whenLate: nil)
    }
  }

  private static func serial(of call: PendingCall?) -> UInt32? {
    call?.answerer.owner.flatMap { UInt32($0.text.dropFirst(3)) }
  }

  @Test func `A call is found by its serial until it is removed, in any order`() throws {
    let maker = try Maker()
    var calls = PendingCalls()
    for serial: UInt32 in 1...200 { calls.add(maker.call(serial), serial) }
    // Each serial once, and never neighbours in a row.
    for step: UInt32 in 0..<200 {
      let serial = step * 37 % 200 + 1
      #expect(Self.serial(of: calls[serial]) == serial)
      #expect(Self.serial(of: calls.remove(serial)) == serial)
      #expect(calls[serial] == nil)
      #expect(calls.remove(serial) == nil)
      #expect(calls.count == Int(199 - step))
    }
  }

  @Test func `A call that waits for long is found behind and before many that were answered`() throws {
    let maker = try Maker()
    var calls = PendingCalls()
    for serial: UInt32 in 1...1000 {
      calls.add(maker.call(serial), serial)
      if serial != 1, serial != 500 { #expect(Self.serial(of: calls.remove(serial)) == serial) }
    }
    #expect(calls.count == 2)
    #expect(calls.removeAll().map { Self.serial(of: $0) } == [1, 500])
    #expect(calls.count == 0)
    #expect(calls[1] == nil)
  }

  @Test func `Calls keep their order where the serials begin again`() throws {
    let maker = try Maker()
    var calls = PendingCalls()
    let serials: [UInt32] = [.max - 2, .max - 1, .max, 1, 2, 3]
    for serial in serials { calls.add(maker.call(serial), serial) }
    for serial in serials { #expect(Self.serial(of: calls[serial]) == serial) }
    for unknown: UInt32 in [0, 4, .max - 3] { #expect(calls[unknown] == nil) }
    #expect(Self.serial(of: calls.remove(1)) == 1)
    #expect(calls.removeAll().map { Self.serial(of: $0) } == [.max - 2, .max - 1, .max, 2, 3])
  }
}
