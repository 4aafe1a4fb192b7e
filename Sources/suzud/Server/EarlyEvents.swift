// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop

/// Events with a number that is not known *yet*: a server may report a click before it answers `Notify`.
struct EarlyEvents {
  /// How many events of one number are kept.
  static let mostOfANumber = 16
  /// How many numbers are kept: a server that reports numbers that it never gives must not fill the memory.
  static let mostNumbers = 4 * PostQueue.window

  private var events: [PostedNumber: [ServerEvent]] = [:]

  /// The count of events kept for each number.
  var counts: [Int] { events.values.map(\.count) }

  mutating func keep(_ event: ServerEvent, of number: PostedNumber) {
    let known = events[number]
    guard known != nil || events.count < Self.mostNumbers, (known?.count ?? 0) < Self.mostOfANumber else { return }
    events[number, default: []].append(event)
  }

  mutating func take(of number: PostedNumber) -> [ServerEvent] { events.removeValue(forKey: number) ?? [] }

  mutating func forgetAll() { events = [:] }
}
