// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func handlerMethods(of center: Center) -> [Method] {
    [
      method("Attach", in: ["app": "s"]) { call in
        guard case .string(let app) = call.arguments[0] else { throw mismatch }
        let rights = await center.rights(of: Caller(call.sender))
        try rights.check(try appName(app))
        try await center.attach(Caller(call.sender), to: app, isSandboxed: rights != .all)
        return []
      },
      method("Detach", in: ["app": "s"]) { call in
        guard case .string(let app) = call.arguments[0] else { throw mismatch }
        await center.detach(Caller(call.sender), from: app)
        return []
      },
      method("InFront", in: ["app": "s", "inFront": "b"]) { call in
        guard case .string(let app) = call.arguments[0] else { throw mismatch }
        try await center.setInFront(call.arguments[1].boolean == true, app, Caller(call.sender))
        return []
      },
      method("Complete", in: ["response": "t", "details": "a{sv}"], bounds: .completion) { call in
        guard case .uint64(let response) = call.arguments[0] else { throw mismatch }
        try await center.complete(response, call.arguments[1].properties?["error"]?.string, by: Caller(call.sender))
        return []
      },
    ]
  }
}
