// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

/// `dev.suzu.Remote1`, for a program that passes on the requests of another machine. No state is kept of who passes on
/// what: each call says for which machine it is, and has the rights of that machine only, so that a restart of the
/// center between two calls gives nothing more.
enum RemoteInterface {
  static func table(of center: CenterService) -> Interface {
    Interface(
      RemoteBus.interface, bounds: .names,
      methods: [
        Method(unread: RemoteBus.notify, bounds: .request) { _, host, request, call in
          let (_, rights) = try await rights(of: try host.read(), in: call, center)
          return try await center.notify(request, rights, from: Caller(call.sender))
        },
        Method(unread: RemoteBus.ask, bounds: .request) { _, host, request, call in
          let (_, rights) = try await rights(of: try host.read(), in: call, center)
          return try await center.ask(request, rights, from: Caller(call.sender))
        },
        Method(unread: RemoteBus.cancel, bounds: .ids) { _, host, ids, call in
          let (host, rights) = try await rights(of: try host.read(), in: call, center)
          return UInt32(
            try await center.cancel(host.app, try read(ids, of: call, rights), rights, from: Caller(call.sender)))
        },
        Method(unread: RemoteBus.dismiss, bounds: .ids) { _, host, ids, call in
          let (host, rights) = try await rights(of: try host.read(), in: call, center)
          return UInt32(
            try await center.dismiss(host.app, try read(ids, of: call, rights), rights, from: Caller(call.sender)))
        },
        list(RemoteBus.pending, .pending, of: center), list(RemoteBus.delivered, .delivered, of: center),
        Method(RemoteBus.watch) { _, host, call in
          let (host, _) = try await rights(of: host, in: call, center)
          try await center.watch(Caller(call.sender), only: host.app)
        },
      ])
  }

  /// The machine with that name, and the rights of a sandboxed program of its app. Only the user may lend them.
  private static func rights(
    of name: String, in call: IncomingCall, _ center: CenterService
  ) async throws -> (RemoteHost, Rights) {
    let own = await center.rights(of: Caller(call.sender))
    try own.checkIsKnown()
    try own.checkAll("passing on requests of other machines")
    guard let host = RemoteHost(name) else {
      throw CenterError(.invalidRequest, "'host' must be \(RemoteHost.form)")
    }
    return (host, .of(app: host.app))
  }

  private static func read(_ ids: Unread<[String]>, of call: IncomingCall, _ rights: Rights) throws -> [String] {
    try rights.checkIDs(of: call)
    return try ids.read()
  }

  private static func list(_ method: CenterMethods.Listing, _ kind: ListingKind, of center: CenterService) -> Method {
    Method(method) { _, host, options, call in
      let (host, rights) = try await rights(of: host, in: call, center)
      let page = try await center.list(kind, try CenterInterface.page(of: kind, host.app, options, for: rights))
      return (page.rows, page.next)
    }
  }
}
