// SPDX-License-Identifier: Apache-2.0
public import NotificationModel
public import Zoneinfo

extension Action {
  /// Refuses a time in a list of times to snooze until that cannot be read. It is read again when the user chooses it.
  ///
  /// - Parameter key: the key of the action, such as `actions[1]`.
  public func checkSnoozeTimes(
    _ key: String, now: Instant, zone: () throws(TriggerError) -> ZoneRules
  ) throws(TriggerError) {
    for (index, time) in snoozeTimes.enumerated() {
      guard case .at(let text) = time else { continue }
      let rules = try zone()
      do throws(TriggerError) {
        try HumanTime.refuseHours(text)
        _ = try HumanTime.parse(text, now: now, zone: rules)
      } catch {
        throw error.about("\(key).snooze" + (snoozeTimes.count > 1 ? "[\(index)]" : ""))
      }
    }
  }
}
