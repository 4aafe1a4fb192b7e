// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// What desktops have reported: who is connected, and what each has shown.
///
/// Confined to the loop's thread.
final class Tally {
  private let desktops: Int
  private let loop: EventLoop
  private(set) var connected: Set<String> = []
  /// How often the link of a desktop passed on what the center knew by its id.
  private(set) var repeats = 0
  /// How many desktops left a message out.
  private(set) var omissions = 0
  /// How many sessions the broker has ended because it heard nothing.
  private(set) var timeouts = 0
  /// For each payload, the times of its first showing at each desktop.
  private var shown: [Int: [String: Duration]] = [:]
  private var extra: [Int: Int] = [:]
  private var waiting: (isTrue: () -> Bool, done: CheckedContinuation<Bool, Never>, limit: EventLoop.Deadline)?

  init(_ desktops: Int, on loop: EventLoop) { (self.desktops, self.loop) = (desktops, loop) }

  // MARK: Figures

  /// When each desktop has shown a payload.
  func times(of payload: Int) -> [Duration] { shown[payload].map { Array($0.values) } ?? [] }

  func count(of payload: Int) -> Int { shown[payload]?.count ?? 0 }

  func lost(of payloads: [Int]) -> Int { payloads.reduce(0) { $0 + desktops - count(of: $1) } }

  func shownTwice(of payloads: [Int]) -> Int { payloads.reduce(0) { $0 + (extra[$1] ?? 0) } }

  // MARK: Reports

  /// A line of the output of the desktops.
  func take(_ line: String) {
    let words = line.split(separator: " ")
    switch words.first {
    case "shown":
      guard words.count == 4, let payload = Int(words[2]), let time = Int64(words[3]) else { break }
      let desktop = String(words[1])
      if shown[payload, default: [:]].updateValue(.nanoseconds(time), forKey: desktop) != nil {
        extra[payload, default: 0] += 1
      }
    case "again": repeats += 1
    default: say(line)
    }
    check()
  }

  /// A line of the log of `suzu-link`: `suzu-link: info: d7: connected`.
  func takeLog(_ line: String) {
    let parts = line.split(separator: ":", maxSplits: 3).map { $0.drop { $0 == " " } }
    guard parts.count == 4, parts[0] == "suzu-link" else { return }
    if parts[3] == "connected" {
      connected.insert(String(parts[2]))
    } else if parts[3].hasPrefix("left out") {
      omissions += 1
    } else {
      connected.remove(String(parts[2]))
    }
    check()
  }

  /// A line of the log of the broker.
  func takeBroker(_ line: String) {
    if line.contains("exceeded timeout") { timeouts += 1 }
    check()
  }

  // MARK: Waiting

  /// Waits until something has become true; for one at a time.
  func wait(within limit: Duration, until isTrue: @escaping () -> Bool) async -> Bool {
    if isTrue() { return true }
    return await withCheckedContinuation { done in
      let deadline = loop.schedule(after: limit) { [weak self] in self?.end(false) }
      waiting = (isTrue, done, deadline)
    }
  }

  private func check() { if let waiting, waiting.isTrue() { end(true) } }

  private func end(_ result: Bool) {
    guard let waiting else { return }
    self.waiting = nil
    waiting.limit.cancel()
    waiting.done.resume(returning: result)
  }
}
