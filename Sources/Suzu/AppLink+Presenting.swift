// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import CenterContract
internal import DBus
internal import NotificationModel

extension AppLink {
  func setPresenting(_ decision: Decision?, _ companions: Companions) async throws(SuzuError) {
    if decision != nil { try await exportHandler(companions) }
    try await present(decision)
  }

  /// The object is one for all apps of the connection.
  private func exportHandler(_ companions: Companions) async throws(SuzuError) {
    let method = Method(HandlerBus.willPresent, bounds: Bounds(bytes: 1 << 20)) { connection, app, id, words, call in
      let all = NoticeKind.texts(NoticeKind.ways)
      guard try await connection.owner(of: CenterBus.name) == call.sender,
        let link = companions.find(Self.name(AppID(trusted: app)), as: AppLink.self), let decision = link.decision,
        let request = try? NotificationRequest(words.compactMapValues { PlainValue($0) })
      else { return all }
      return NoticeKind.texts(await decision(PresentedRequest(id: RequestID(trusted: id), request: request)))
    }
    try await connection.export(
      Interface(HandlerBus.interface, methods: [method, Self.pushMethod(companions)]), at: HandlerBus.path)
  }

  // MARK: Pushes

  func setChanging(_ change: Change?, _ companions: Companions) async throws(SuzuError) {
    if change != nil { try await exportHandler(companions) }
    try await changePushes(change)
  }

  /// The app submits another request before it returns, or the push is shown as it came.
  private static func pushMethod(_ companions: Companions) -> Method {
    Method(HandlerBus.changePush, bounds: Bounds(bytes: 1 << 20)) { connection, app, id, words, limit, call in
      guard try await connection.owner(of: CenterBus.name) == call.sender,
        let link = companions.find(Self.name(AppID(trusted: app)), as: AppLink.self), let change = link.change,
        let request = try? NotificationRequest(words.compactMapValues { PlainValue($0) })
      else { return }
      await change(PushedRequest(id: RequestID(trusted: id), request: request, limit: .milliseconds(limit)))
    }
  }
}

extension CenterConnection {
  /// Exports an object, unless it was exported before.
  func export(_ interface: Interface, at path: ObjectPath) async throws(SuzuError) {
    try await use { connection throws(CallError) in
      do throws(BusError) { try await connection.export(interface, at: path) } catch {
        if error.code != .alreadyExported { throw .failed(error) }
      }
    }
  }
}
