// SPDX-License-Identifier: Apache-2.0
public import Triggers
public import Zoneinfo

/// The current time zone rules of this machine.
public protocol ZoneSource: AnyObject {
  /// The rules of a zone; nil for the machine's zone.
  func rules(_ name: String?) throws(TriggerError) -> ZoneRules
  /// The machine's zone.
  var name: String { get }
  /// The problem with the machine's zone, or with one that a request names; one line.
  var problem: String? { get }
  /// A text that changes with the machine's zone and with any zone rules.
  var fingerprint: String { get }
  /// Checks for such a change now.
  func check()
  /// Called after such a change.
  var whenChanged: () -> Void { get set }
}
