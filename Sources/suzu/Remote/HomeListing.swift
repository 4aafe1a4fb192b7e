// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// `suzu list` of what this machine has asked the desktop at home for.
struct HomeList {
  let isDelivered: Bool

  /// Prints the list; returns whether there is a link home.
  func print(_ arguments: Arguments, limit: Int?, on loop: EventLoop) async throws -> Bool {
    guard let first = await HomeCall.begin(on: loop) else { return false }
    try refuseOther(arguments.value("app"), than: first.app)
    var next: HomeCall? = first
    var printer = ListingPrinter(
      ListCommand.columns(isDelivered: isDelivered, in: LocalTime.rulesForTables), arguments)
    let isAny = try await printer.run(limit: limit) { cursor, limit in
      let call: HomeCall? = if let open = next.take() { open } else { await HomeCall.begin(on: loop) }
      guard let call else { throw CommandError.unavailable("the link to the desktop at home has ended") }
      var words: [String: PlainValue] = ["delivered": .flag(isDelivered), "limit": .integer(Int64(limit))]
      words["after"] = cursor.map { .text($0.text) }
      guard case .rows(let rows, let next) = try await call.ask("list", words) else { return ListedPage([]) }
      return ListedPage(rows.map { ListedRequest($0) }, next: next.map(ListingCursor.init))
    }
    if !isAny, Console.hasReader {
      Console.remark(isDelivered ? "nothing of this machine is on the screen at home" : "no pending requests at home")
    }
    return true
  }
}

/// `suzu cancel` and `suzu dismiss` of what this machine has asked the desktop at home for.
struct HomeRemoval {
  private let removal: Removal
  private let call: String

  init(_ removal: Removal, _ call: String) {
    (self.removal, self.call) = (removal, call)
  }

  /// Removes them; nil if there is no link home.
  func run(on loop: EventLoop) async throws -> Int32? {
    guard let first = await HomeCall.begin(on: loop) else { return nil }
    if removal.app != NotificationRequest.defaultApp { try refuseOther(removal.app, than: first.app) }
    if removal.ids.isEmpty {
      Console.print("\(try await count([], first))")
      return EX_OK
    }
    var next: HomeCall? = first
    var unknown: [String] = []
    for id in removal.ids {
      let open: HomeCall? = if let open = next.take() { open } else { await HomeCall.begin(on: loop) }
      guard let open else { throw CommandError.unavailable("the link to the desktop at home has ended") }
      if try await count([id], open) == 0 { unknown.append(id) }
    }
    guard let id = unknown.first else { return EX_OK }
    throw CommandError.data(
      "this machine has no request '\(PrintableText.line(id, atMost: 60))' \(removal.place == .pending ? "pending" : "on the screen") "
        + "at home; see 'suzu list\(removal.place == .pending ? "" : " --delivered")'")
  }

  private func count(_ ids: [String], _ home: HomeCall) async throws -> Int {
    guard case .count(let count) = try await home.ask(call, ["ids": .list(ids.map { .text($0) })]) else { return 0 }
    return count
  }
}

/// Throws if the requests of another app are meant.
private func refuseOther(_ app: String?, than own: String) throws(CommandError) {
  guard let app, app != own else { return }
  throw CommandError(
    message: "at home, this machine sees only its own requests: leave out '--app', or give \(own)", status: EX_NOPERM)
}
