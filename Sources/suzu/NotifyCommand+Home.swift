// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// Notifications of an SSH session whose user has a link to the desktop at home.
extension NotifyCommand {
  /// Passes the request on; returns nil if there is no link.
  func runAtHome(on loop: EventLoop) async throws -> Int32? {
    guard let home = await HomeCall.begin(on: loop) else { return nil }
    if isList {
      throw CommandError.usage("a list of requests cannot be passed on to the desktop at home; send one at a time")
    }
    let request = HomeRequest(requests[0])
    if dialect == .suzu, let warning = request.warning { Console.warn("notify", warning) }
    if waits { return try await wait(for: request.words, home) }
    let answer = try await refused { () throws(SuzuError) in
      try await home.ask("notify", ["request": .dictionary(request.words)])
    }
    guard case .id(let id) = answer else { throw Self.strange }
    if isJSON {
      Console.print(Self.json(home.app, id))
    } else if dialect == .suzu || printsID {
      Console.print(id)
    }
    return EX_OK
  }

  private static let strange = CommandError.unavailable(
    "the desktop at home gave an answer that this version does not know")

  /// Errors name the flags.
  private func refused<Result>(_ call: () async throws(SuzuError) -> Result) async throws -> Result {
    do throws(SuzuError) { return try await call() } catch {
      guard error.code == .invalidRequest else { throw error }
      throw file?.complaint(error.message) ?? .data(keys.text(error.message))
    }
  }

  private func wait(for request: [String: PlainValue], _ home: HomeCall) async throws -> Int32 {
    try home.watchAsker(limit: nil)
    var id = ""
    let end = try await refused { () throws(SuzuError) in
      try await home.wait(for: request) { given in
        id = given
        if printsID && !isJSON { Console.print(given) }
      }
    }
    switch end {
    case .response(let response):
      if isJSON {
        Console.print(Self.json(home.app, id, response))
      } else {
        if dialect == .suzu || offers(response.action) { Console.print(response.action) }
        if let reply = response.reply { Console.print(reply) }
      }
      return EX_OK
    case .dialogMissing(let response, let outcome), .notDone(let response, let outcome):
      if isJSON { Console.print(Self.json(home.app, id)) }
      let (status, why) = outcome.missingText
      Console.complain("notify: '\(PrintableText.line(response.action, atMost: 60))' was chosen, but \(why)")
      return status == 1 && dialect == .notifySend ? EX_OK : status
    case .ended(let end):
      if isJSON { Console.print(Self.json(home.app, id)) }
      let status = status(of: end)
      if dialect == .suzu || status != EX_OK, let remark = end.remark(of: home.app) {
        Console.complain("notify: \(remark)")
      }
      return status
    case .interrupted(let signal): Process.end(by: signal)
    case .centerEnded, .timeLimit, .askerGone, nil:
      Console.complain(
        "notify: the \(end == nil ? "link to the desktop" : "center") at home ended before there was an answer")
      return EX_UNAVAILABLE
    }
  }
}
