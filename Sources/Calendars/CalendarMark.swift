// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Digests of a request from a calendar. They tell whether the calendar has changed it, and need no copy of it.
package struct CalendarMark: Hashable, Sendable {
  /// Of the keys that say when.
  package let when: UInt64
  /// Of all other keys.
  package let what: UInt64

  /// The marks of an earlier run.
  package init(when: UInt64, what: UInt64) { (self.when, self.what) = (when, what) }

  init(_ words: [String: PlainValue]) {
    func digest(_ isPart: (String) -> Bool) -> UInt64 {
      let part = words.filter { isPart($0.key) && $0.key != "app" && $0.key != "id" }
      // FNV-1a. The keys are in order, so equal requests have equal texts.
      return PlainValue.dictionary(part).json.utf8.reduce(0xcbf2_9ce4_8422_2325) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
    }
    when = digest { Schedule.keys.contains($0) }
    what = digest { !Schedule.keys.contains($0) }
  }
}
