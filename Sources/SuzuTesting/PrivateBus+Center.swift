// SPDX-License-Identifier: Apache-2.0
public import Suzu
public import TestStage

extension PrivateBus {
  /// A client of the notification center on this bus. If the bus was started with an activation file for
  /// `dev.suzu.Center`, the first call starts the center.
  public func center() async throws(SuzuError) -> Center { try await Center.connect(toBus: address) }
}
