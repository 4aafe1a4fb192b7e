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
    try await connection.export(Interface(HandlerBus.interface, methods: [method]), at: HandlerBus.path)
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
