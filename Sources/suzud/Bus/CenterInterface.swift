// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel
internal import Scheduling

/// `dev.suzu.Center1` as a table of methods, signals and properties; `dbus/dev.suzu.Center1.xml` describes the same
/// interface.
enum CenterInterface {
  static func table(of center: CenterService) -> Interface {
    Interface(
      CenterBus.interface, bounds: .names,
      methods: [
        Method(unread: CenterMethods.notify, bounds: .request) { _, request, call in
          let rights = await center.rights(of: Caller(call.sender))
          try rights.checkIsKnown()
          return try await center.notify(request, rights, from: Caller(call.sender))
        },
        Method(unread: CenterMethods.ask, bounds: .request) { _, request, call in
          let rights = await center.rights(of: Caller(call.sender))
          try rights.checkIsKnown()
          return try await center.ask(request, rights, from: Caller(call.sender))
        },
        Method(unread: CenterMethods.notifyMany, bounds: .requests) { _, requests, call in
          let rights = await center.rights(of: Caller(call.sender))
          return try await center.notifyMany(requests, call, rights)
        },
        Method(unread: CenterMethods.cancel, bounds: .ids) { _, app, ids, call in
          let rights = await center.rights(of: Caller(call.sender))
          let (app, ids) = try read(app, ids, of: call, rights)
          return UInt32(try await center.cancel(app, ids, rights, from: Caller(call.sender)))
        },
        Method(unread: CenterMethods.dismiss, bounds: .ids) { _, app, ids, call in
          let rights = await center.rights(of: Caller(call.sender))
          let (app, ids) = try read(app, ids, of: call, rights)
          return UInt32(try await center.dismiss(app, ids, rights, from: Caller(call.sender)))
        },
        Method(unread: CenterMethods.acknowledge, bounds: .ids) { _, app, ids, call in
          let rights = await center.rights(of: Caller(call.sender))
          let (app, ids) = try read(app, ids, of: call, rights)
          return UInt32(try await center.acknowledge(app, ids, rights, from: Caller(call.sender)))
        },
        list(CenterMethods.pending, .pending, of: center),
        list(CenterMethods.delivered, .delivered, of: center),
        list(CenterMethods.history, .history, of: center),
        Method(CenterMethods.clearHistory) { _, app, before, call in
          try await center.rights(of: Caller(call.sender)).checkAll("clearing the history")
          guard (0...latestEnd).contains(before) else {
            throw CenterError(.invalidRequest, "'before' must be in seconds since 1970, or 0 for everything")
          }
          let end = before == 0 ? nil : Timestamp(milliseconds: before * 1000)
          return UInt32(clamping: try await center.clearHistory(of: app.isEmpty ? nil : app, before: end))
        },
        Method(CenterMethods.why) { _, app, id, limit, call in
          let reader = await center.rights(of: Caller(call.sender))
          try reader.check(try appName(app))
          return try await center.reasons(app, id, limit: limit == 0 ? Page.most : min(Int(limit), Page.most), reader)
        },
        Method(unread: CenterMethods.next, bounds: .request) { _, request, count, call in
          let rights = await center.rights(of: Caller(call.sender))
          try rights.checkIsKnown()
          let count = try count.read()
          guard count <= mostDates else {
            throw CenterError(.limitExceeded, "'count' is \(count); the limit is \(mostDates)")
          }
          return try await center.next(
            try self.request(try request.read(), of: rights, needsTitle: false), Int(count))
        },
        Method(unread: CenterMethods.respond, bounds: .reply) { _, app, id, action, options, call in
          let rights = await center.rights(of: Caller(call.sender))
          try rights.checkIsKnown()
          try rights.checkAll("answering for the user")
          let reply = try options.read()["reply"]?.string
          try checkReply(reply)
          try await center.respond(try app.read(), try id.read(), try action.read(), reply: reply)
        },
        Method(CenterMethods.watch) { _, isEnabled, call in
          if isEnabled {
            try await center.rights(of: Caller(call.sender)).checkAll("watching everything")
            try await center.watch(Caller(call.sender))
          } else {
            await center.unwatch(Caller(call.sender))
          }
        },
        Method(CenterMethods.watchStored) { _, isEnabled, call in
          if isEnabled {
            try await center.rights(of: Caller(call.sender)).checkAll("watching everything")
            try await center.watchStore(Caller(call.sender))
          } else {
            await center.unwatchStore(Caller(call.sender))
          }
        },
      ] + categoryMethods(of: center) + appMethods(of: center) + placeMethods(of: center)
        + muteMethods(of: center) + quietMethods(of: center) + pushMethods(of: center) + calendarMethods(of: center)
        + handlerMethods(of: center) + outboxMethods(of: center)
        + answerMethods(of: center),
      signals: CenterEvent.signals + [CenterSignals.outgoingWaiting],
      properties: [
        Property("Version", String.self, changes: .constant) { _, _ in ProductVersion.text },
        Property("PendingCount", UInt32.self, changes: .silent) { _, caller in
          UInt32(await center.pendingCount(for: await rights(of: caller, center)))
        },
        Property("Server", String.self) { _, _ in await center.serverName },
        Property("Health", [String: Value].self, changes: .silent) { _, caller in
          // Sandboxed programs do not see the user's folders and files, nor their errors.
          await rights(of: caller, center) == .all ? await center.health.properties : [:]
        },
        Property("Capabilities", [String].self) { _, _ in await center.capabilities },
      ])
  }

  private static func rights(of caller: BusName?, _ center: CenterService) async -> Rights {
    guard let caller else { return .none }
    return await center.rights(of: Caller(caller))
  }

  /// The last second of the year 9999.
  static let latestEnd: Int64 = 253_402_300_799

  /// The most dates that one `Next` finds.
  private static let mostDates: UInt32 = 10_000

  /// Turns the dictionary of a call into a checked request.
  static func request(
    _ argument: Properties, of rights: Rights, needsTitle: Bool = true
  ) throws(CenterError) -> NotificationRequest {
    do {
      if rights != .all { return try sandboxedRequest(argument, of: rights) }
      let argument = needsTitle ? argument : titled(argument)
      // Most requests consist of plain values, which take a third of the time. The errors are those of the bus.
      let read = try? argument.plain?.decode(as: NotificationRequest.self)
      let request = try read ?? argument.decode(NotificationRequest.self)
      try request.checkAsNew()
      return request
    } catch {
      throw refusal(error)
    }
  }

  /// Adds the `app` that a sandboxed program may leave out.
  private static func sandboxedRequest(_ argument: Properties, of rights: Rights) throws -> NotificationRequest {
    try rights.checkIsKnown()
    var words = argument.values
    if let app = rights.ownApp, words["app"] == nil { words["app"] = .string(app) }
    let request = try request(Properties(words), of: .all, needsTitle: false)
    try rights.check(request)
    return request
  }

  /// The center's error for any error that reading a request can throw.
  static func refusal(_ error: any Error) -> CenterError {
    switch error {
    case let error as CenterError: error
    case DecodingError.dataCorrupted(let context) where context.underlyingError is RequestError:
      CenterError(.invalidRequest, context.debugDescription)
    case let error as DecodingError: CenterError(.invalidRequest, error.summary)
    default: CenterError(.invalidRequest, "\(error)")
    }
  }

  /// Adds a title, which `Next` does not require.
  private static func titled(_ argument: Properties) -> Properties {
    if argument.has("title") { return argument }
    var words = argument.values
    words["title"] = "-"
    return Properties(words)
  }
}
