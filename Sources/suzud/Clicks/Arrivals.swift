// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Callers that wait until a due request is on the screen: a script may answer a notification directly after sending
/// it, before the notification server has shown it.
final class Arrivals {
  private let loop: EventLoop
  private let limit: Duration
  private var waiting: [RequestKey: [UInt64: Waiting]] = [:]
  private var last: UInt64 = 0

  private struct Waiting {
    let resume: (_ isInTime: Bool) -> Void
    let deadline: EventLoop.Deadline
  }

  init(on loop: EventLoop, limit: Duration) { (self.loop, self.limit) = (loop, limit) }

  /// Returns true when the request, or an earlier one with its id, has come to the screen or has ended; false after the
  /// limit.
  func wait(for key: RequestKey) async -> Bool {
    last += 1
    let number = last
    return await loop.withContinuation { continuation in
      let deadline = loop.schedule(after: limit) { [weak self] in self?.end(number, of: key, isInTime: false) }
      waiting[key, default: [:]][number] = Waiting(resume: { continuation.resume(returning: $0) }, deadline: deadline)
    }
  }

  /// The request is on the screen, or has ended.
  func note(_ key: RequestKey) {
    if waiting.isEmpty { return }
    for number in (waiting[key] ?? [:]).keys.sorted() { end(number, of: key, isInTime: true) }
  }

  /// Lets all callers go on, because the center ends.
  func endAll() {
    for (key, callers) in waiting { for number in callers.keys { end(number, of: key, isInTime: false) } }
  }

  private func end(_ number: UInt64, of key: RequestKey, isInTime: Bool) {
    guard let one = waiting[key]?.removeValue(forKey: number) else { return }
    if waiting[key]?.isEmpty == true { waiting[key] = nil }
    one.deadline.cancel()
    one.resume(isInTime)
  }
}
