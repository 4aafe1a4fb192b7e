// SPDX-License-Identifier: Apache-2.0

extension ScriptMaker {
  /// Requests with a button that their app handles, and the app, which is there for seconds or for hours.
  mutating func addApp(_ number: inout Int) {
    for _ in 0...length / (Self.day / 3) {
      number += 1
      var own = SeededRandom(seed, for: "for the app \(number)")
      let when: RequestSpec.When =
        switch own.number(0...3) {
        case 0, 1: .now
        case 2: .after(own.number(5...20_000))
        default: .every(own.number(1_800...20_000), isDelay: false, count: own.number(2...5))
        }
      let spec = RequestSpec(
        number: number, id: "app\(own.number(1...6))", when: when, zone: nil, missed: .deliver, grace: nil,
        isAlert: own.isTrue(in: 70), hasLaunch: false, snooze: own.isTrue(in: 20) ? own.number(60...3_600) : nil,
        isForApp: true, expires: nil)
      insert(.notify(spec), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 7_237)
    }
    for _ in 0...length / (Self.day / 2) {
      number += 1
      var own = SeededRandom(seed, for: "app \(number)")
      let time: Int64 = own.isTrue(in: 40) ? own.number(20...20_000) : own.number(20_000...Self.day / 2)
      insert(.startApp(for: time), number, at: own.number(1...length / 60_000 - 1) * 60_000 + 57_837)
    }
  }
}
