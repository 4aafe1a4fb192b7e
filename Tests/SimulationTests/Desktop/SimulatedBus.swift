// SPDX-License-Identifier: Apache-2.0

/// A session bus, which ends with the session's programs on it, and starts anew.
struct SimulatedBus: Equatable {
  private var number = 1
  private(set) var isUp = true

  /// Its id, which no other bus has.
  var text: String { "bus \(number)" }

  mutating func end() { isUp = false }

  /// Another one starts.
  mutating func startAnew() {
    number += 1
    isUp = true
  }
}
