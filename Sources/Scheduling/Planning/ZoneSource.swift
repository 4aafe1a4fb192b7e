// SPDX-License-Identifier: Apache-2.0
public import Triggers
public import Zoneinfo

/// The rules of time zones, as they are on this machine now.
public protocol ZoneSource: AnyObject {
  /// Those of a zone; nil: of the machine's.
  func rules(_ name: String?) throws(TriggerError) -> ZoneRules
  /// The machine's zone.
  var name: String { get }
  /// What is wrong with it, or with one that a request names; one line.
  var problem: String? { get }
  /// Another text after every change of the machine's zone or of what is known of any zone.
  var fingerprint: String { get }
  /// Looks at once whether there was such a change.
  func check()
  /// Called after such a change.
  var whenChanged: () -> Void { get set }
}
