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
      announceOutgoing: { carrier in
        let signal = Signal(
          CenterSignals.outgoingWaiting, CenterBus.path, CenterBus.interface, to: carrier.name)
        // One that has just left is forgotten soon.
        connection.assumeIsolated { try? $0.emit(signal) }
      },
      startCarrier: {
        connection.loop.startLater {
          // Where it is not installed, what is to be sent waits.
          _ = try? await connection.call(BusMethods.startService, of: .bus, LinkBus.name, 0)
        }
      },
      id: { try? await connection.call(BusMethods.getID, of: .bus) },
      callers: {
        guard let names = try? await connection.call(BusMethods.listNames, of: .bus) else { return nil }
        return Set(names.compactMap { BusName($0).map(Caller.init) })
      },
      willPresent: { handler, request in
        let words = (try? ValueEncoder().encodeProperties(request)) ?? [:]
        let object = RemoteObject(handler.name, HandlerBus.path, HandlerBus.interface, startsService: false)
        guard
          let texts = try? await connection.call(
            HandlerBus.willPresent, of: object, request.app.text, request.id?.text ?? "", words,
            limit: timeouts.presenting)
        else { return nil }
        return Set(texts.compactMap(NoticeKind.init))
      },
      changePush: { handler, request, limit in
        let words = (try? ValueEncoder().encodeProperties(request)) ?? [:]
        let object = RemoteObject(handler.name, HandlerBus.path, HandlerBus.interface, startsService: false)
        // The app ends its change before the center stops to wait, so that its answer counts.
        let own = UInt32(max(1, limit * 11 / 12 / .milliseconds(1)))
        _ = try? await connection.call(
          HandlerBus.changePush, of: object, request.app.text, request.id?.text ?? "", words, own, limit: limit)
      })
  }
}
