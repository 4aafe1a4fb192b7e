// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

extension Condition: ExpressibleByStringLiteral {
  /// Creates a condition from a literal such as `"battery < 20%"`, which must be one.
  public init(stringLiteral text: String) {
    do throws(RequestError) { try self.init(text) } catch { preconditionFailure("'\(text)': \(error)") }
  }

  /// The screen is unlocked.
  public static var unlocked: Condition { "unlocked" }
  /// The screen is locked.
  public static var locked: Condition { "leave unlocked" }
  /// The machine is connected to the mains.
  public static var power: Condition { "power" }
  /// The machine resumed from sleep.
  public static var awake: Condition { "awake" }
}
