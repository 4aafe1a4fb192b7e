// SPDX-License-Identifier: Apache-2.0

/// What goes wrong besides. Each has random numbers of its own.
extension ScriptMaker {
  /// Updates of `tzdata`: zones give up summer time, begin with it, or keep that of the whole year; or take it back.
  mutating func addUpdates(_ number: inout Int) {
    for _ in 0...length / (30 * Self.day) {
      number += 1
      var own = SeededRandom(seed, for: "rules \(number)")
      let (zone, rules) = own.element([
        ("Europe/Berlin", "<+01>-1"), ("Europe/Berlin", nil), ("America/New_York", "<-04>4"), ("America/New_York", nil),
        ("Asia/Tokyo", "<+09>-9<+10>,M4.1.0,M10.5.0"), ("Asia/Tokyo", nil),
        ("Europe/London", "<+00>0<+01>,M3.2.0,M11.1.0"),
        ("Australia/Lord_Howe", "<+1030>-10:30"),
      ])
      insert(.newRules(zone, rules), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 17_337)
    }
  }

  /// Disks that fail at a write or a sync, or at some of them.
  mutating func addFailures(_ number: inout Int) {
    for _ in 0...length / (6 * Self.day) {
      number += 1
      var own = SeededRandom(seed, for: "fails \(number)")
      insert(.failDisk(own.number(1...3)), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 27_537)
    }
  }

  /// Buses that end.
  mutating func addBuses(_ number: inout Int) {
    for _ in 0...length / (4 * Self.day) {
      number += 1
      var own = SeededRandom(seed, for: "bus \(number)")
      let time: Int64 = own.isTrue(in: 70) ? own.number(50...5_000) : own.number(5_000...60_000)
      insert(.restartBus(time), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 13_337)
    }
  }

  /// Buses that are slow for minutes or hours.
  mutating func addSlowBuses(_ number: inout Int) {
    for _ in 0...length / (2 * Self.day) {
      number += 1
      var own = SeededRandom(seed, for: "slow bus \(number)")
      let delay: Int64 = own.isTrue(in: 50) ? own.number(1...50) : own.number(50...700)
      let time = own.number(60_000...Self.day / 2)
      insert(.slowBus(delay: delay, for: time), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 43_737)
    }
  }

  /// Messages that the bus loses.
  mutating func addLosses(_ number: inout Int) {
    for _ in 0...length / (3 * Self.day) {
      number += 1
      var own = SeededRandom(seed, for: "loss \(number)")
      let kind = own.element(SimulatedWire.Kind.allCases)
      insert(
        .loseMessages(kind, own.number(1...2)), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 53_737)
    }
  }

  /// Servers that hang for seconds or minutes.
  mutating func addHangs(_ number: inout Int) {
    for _ in 0...length / (2 * Self.day) {
      number += 1
      var own = SeededRandom(seed, for: "hangs \(number)")
      let time: Int64 = own.isTrue(in: 50) ? own.number(500...30_000) : own.number(30_000...3_600_000)
      insert(.hangServer(for: time), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 3_737)
    }
  }

  /// Disks that are full for minutes or hours.
  mutating func addFullDisks(_ number: inout Int) {
    for _ in 0...length / (6 * Self.day) {
      number += 1
      var own = SeededRandom(seed, for: "full \(number)")
      let time: Int64 = own.isTrue(in: 50) ? own.number(60_000...1_800_000) : own.number(1_800_000...Self.day)
      insert(.fillDisk(for: time), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 47_537)
    }
  }

  /// Ends at any write, and wherever a task waits.
  mutating func addEnds(_ number: inout Int) {
    for _ in 0...length / (3 * Self.day) {
      number += 1
      var own = SeededRandom(seed, for: "end \(number)")
      let moment = own.isTrue(in: 50) ? Script.Moment.inTurn(own.number(1...100)) : .atWrite(own.number(1...12))
      let off: Int64 = own.isTrue(in: 70) ? own.number(50...5_000) : own.number(5_000...Self.day / 4)
      insert(
        .end(moment, isPowerLoss: own.isTrue(in: 40), off: off), number,
        at: own.number(1...length / 60_000 - 1) * 60_000 + 37_537)
    }
  }
}
