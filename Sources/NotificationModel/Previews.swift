// SPDX-License-Identifier: Apache-2.0

/// When the texts of an app's notifications are shown.
public enum Previews: String, Sendable, CaseIterable {
  /// Always.
  case always
  /// While the session is not locked.
  case unlocked
  /// Never: its notifications say that there is one.
  case never
}
