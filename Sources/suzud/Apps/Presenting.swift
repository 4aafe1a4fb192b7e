// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// The requests that apps in front are being asked about. Only the answer to the newest question about a request
/// counts.
struct Presenting {
  /// One question, distinct from a later one about the same request.
  struct Question {
    fileprivate let key: RequestKey
    fileprivate let number: UInt64
  }

  private var asked: [RequestKey: (due: Due, number: UInt64)] = [:]
  private var lastNumber: UInt64 = 0

  var count: Int { asked.count }

  /// The matching requests, in the order in which the apps were asked.
  func keys(where fits: (RequestKey) -> Bool) -> [RequestKey] {
    if asked.isEmpty { return [] }
    return asked.filter { fits($0.key) }.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  subscript(key: RequestKey) -> Due? { asked[key]?.due }

  mutating func add(_ due: Due) -> Question {
    lastNumber += 1
    let key = RequestKey(due)
    asked[key] = (due, lastNumber)
    return Question(key: key, number: lastNumber)
  }

  /// Removes the question about this request; returns nil if there is none.
  mutating func remove(_ key: RequestKey) -> Due? {
    asked.isEmpty ? nil : asked.removeValue(forKey: key)?.due
  }

  /// Removes the question if it is still current; returns whether it was.
  mutating func take(_ question: Question) -> Bool {
    guard asked[question.key]?.number == question.number else { return false }
    asked[question.key] = nil
    return true
  }
}
