// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func handlerMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.attach) { _, app, call in
        let rights = await center.rights(of: Caller(call.sender))
        try rights.check(try appName(app))
        try await center.attach(Caller(call.sender), to: app, isSandboxed: rights != .all)
      },
      Method(CenterMethods.detach) { _, app, call in
        await center.detach(Caller(call.sender), from: app)
      },
      Method(CenterMethods.inFront) { _, app, isInFront, call in
        try await center.setInFront(isInFront, app, Caller(call.sender))
      },
      Method(CenterMethods.changesPushes) { _, app, changes, call in
        try await center.setChangesPushes(changes, app, Caller(call.sender))
      },
      Method(CenterMethods.complete, bounds: .completion) { _, response, details, call in
        try await center.complete(response, details["error"]?.string, by: Caller(call.sender))
      },
    ]
  }
}
