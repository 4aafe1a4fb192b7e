// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// What apps in front are being asked about, the newest of each request: its answer alone counts.
struct Presenting {
  /// Tells one question from a later one about the same request.
  struct Question {
    fileprivate let key: RequestKey
    fileprivate let number: UInt64
  }

  private var asked: [RequestKey: (due: Due, number: UInt64)] = [:]
  private var lastNumber: UInt64 = 0

  var count: Int { asked.count }

  /// The requests that fit, in the order in which they were asked about.
  func keys(where fits: (RequestKey) -> Bool) -> [RequestKey] {
    if asked.isEmpty { return [] }
    return asked.filter { fits($0.key) }.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  mutating func add(_ due: Due) -> Question {
    lastNumber += 1
    let key = RequestKey(due)
    asked[key] = (due, lastNumber)
    return Question(key: key, number: lastNumber)
  }

  /// Forgets what the app is asked about under that name; nil: nothing.
  mutating func remove(_ key: RequestKey) -> Due? {
    asked.isEmpty ? nil : asked.removeValue(forKey: key)?.due
  }

  /// Whether the answer to this question still counts, which it does once.
  mutating func take(_ question: Question) -> Bool {
    guard asked[question.key]?.number == question.number else { return false }
    asked[question.key] = nil
    return true
  }
}
