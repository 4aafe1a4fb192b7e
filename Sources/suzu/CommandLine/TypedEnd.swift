// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The end of something, as the user types it: a duration from now, or a time.
enum TypedEnd {
  /// The moment that a text means: `1h`, or a time as `--at` takes it.
  ///
  /// - Parameter forms: what the text must be, for the error.
  static func moment(
    _ text: String, _ time: LocalTime, mustBe forms: String, durationsOnly: Bool = false
  ) throws(CommandError) -> Instant {
    let isDuration = (try? Duration.parse(text)) != nil
    let shown = PrintableText.line(text, atMost: 60)
    do {
      guard isDuration || !durationsOnly else { throw CommandError.data("") }
      let request = try NotificationRequest(["title": .text("x"), isDuration ? "in" : "at": .text(text)])
      var search = DateSearch()
      if let trigger = try request.schedule.trigger(made: time.now, rules: time.rules),
        let first = try trigger.first(in: try time.rules(trigger.zone), &search)
      {
        return first.instant
      }
    } catch let error as TriggerError where isDuration || error.code == .inThePast {
      throw .data("'\(shown)' \(error.problem)")
    } catch {}
    throw .data("'\(shown)' must be \(forms)")
  }
}
