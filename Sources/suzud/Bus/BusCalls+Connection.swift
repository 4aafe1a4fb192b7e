// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop
internal import NotificationModel

extension BusCalls {
  init(on connection: Connection, timeouts: Timeouts) {
    self.init(
      announceServer: {
        connection.loop.startLater {
          try? await connection.propertiesChanged(
            ["Server", "Capabilities"], of: CenterBus.interface, at: CenterBus.path)
        }
      },
      callers: {
        guard let names = try? await connection.call(.toBus("ListNames")).first?.strings else { return nil }
        return Set(names.compactMap { BusName($0).map(Caller.init) })
      },
      willPresent: { handler, request in
        let words = (try? ValueEncoder().encodeProperties(request)) ?? [:]
        let call = MethodCall(
          to: handler.name, HandlerBus.path, HandlerBus.interface, HandlerBus.willPresent,
          [.string(request.app.text), .string(request.id?.text ?? ""), .properties(words)], startsService: false)
        guard let reply = try? await connection.call(call, limit: timeouts.presenting),
          let texts = reply.first?.strings
        else { return nil }
        return Set(texts.compactMap(NoticeKind.init))
      })
  }
}
