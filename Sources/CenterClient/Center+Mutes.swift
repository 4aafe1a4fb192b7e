// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// The requests that are muted.
  public func mutes() async throws(SuzuError) -> [Mute] {
    try await call(CenterMethods.mutes).compactMap { try? Mute($0.compactMapValues { PlainValue($0) }) }
  }

  /// Does not show a request until its mute ends, or changes when that is.
  public func mute(_ mute: Mute) async throws(SuzuError) {
    try await call(CenterMethods.mute, mute.app.text, mute.id.text, mute.until)
  }

  /// Shows a request again from now on.
  public func unmute(_ id: RequestID, of app: AppID) async throws(SuzuError) {
    try await call(CenterMethods.mute, app.text, id.text, 0)
  }
}
