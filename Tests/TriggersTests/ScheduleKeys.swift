// SPDX-License-Identifier: Apache-2.0
import NotificationModel

/// The keys of a schedule, as a request has them: any of them, in any combination.
struct ScheduleKeys {
  var delay: Duration?
  var at: String?
  var every: String?
  var rule: String?
  var match: [String: Int]?
  var repeats: Bool?
  var zone: String?
  var from: String?
  var until: String?
  var count: Int?

  /// Throws if the keys cannot be combined.
  func schedule() throws(RequestError) -> Schedule {
    var words: [String: PlainValue] = [:]
    for (key, text) in [
      ("in", delay?.text), ("at", at), ("every", every), ("rule", rule), ("zone", zone), ("from", from),
      ("until", until),
    ] {
      words[key] = text.map { .text($0) }
    }
    words["match"] = match.map { .dictionary($0.mapValues { .integer(Int64($0)) }) }
    words["repeat"] = repeats.map { .flag($0) }
    words["count"] = count.map { .integer(Int64($0)) }
    return try Schedule(words)
  }
}
