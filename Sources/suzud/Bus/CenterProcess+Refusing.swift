// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterProcess {
  /// Refuses the calls that made the bus start this process, with the reason why it cannot serve.
  ///
  /// Otherwise the callers wait until their calls time out where systemd starts it: the bus learns that a service has
  /// not started, but neither when nor why.
  func refuseWaitingCalls(_ reason: String, on connection: Connection) async {
    await connection.refuseCalls(with: CenterError(.unavailable, reason).refusal)
    // The calls come with the name: before the answer to the first question. The bus reads the refusals before the
    // second one.
    guard (try? await connection.requestName(CenterBus.name, .doNotQueue)) == .owner else { return }
    for _ in 1...2 { _ = try? await connection.owner(of: CenterBus.name) }
  }
}
