// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel

/// Does what an action stands for.
struct Doer {
  let loop: EventLoop
  /// How long a program behind a button may take, and how long it then has to end.
  let limit: Duration
  let grace: Duration
  /// What opens URLs.
  var opener = URLOpener.usualProgram

  /// Carries out the response; `isHeard` says whether somebody on the bus was told of it.
  func carryOut(
    _ response: Response, of request: NotificationRequest, token: String?, isHeard: Bool
  ) async -> Outcome {
    let doing = request.actions.first { $0.id == response.action }?.doing
    switch doing {
    case .run(let words): return await run(words, response, request, token)
    case .url(let url): return await open(url, token)
    case nil:
      if response.action == Action.defaultID, let url = request.url { return await open(url, token) }
      return isHeard ? .done : .unhandled
    }
  }

  private func open(_ url: String, _ token: String?) async -> Outcome {
    switch await URLOpener.open(url, activationToken: token, with: opener, on: loop) {
    case .opened: .done
    case .refusedScheme(let scheme): .refused("scheme '\(scheme)'")
    case .failed(let why): .failed(why)
    }
  }

  private func run(
    _ words: [String], _ response: Response, _ request: NotificationRequest, _ token: String?
  ) async -> Outcome {
    var environment = [
      "SUZU_APP": response.app, "SUZU_ID": response.id, "SUZU_ACTION": response.action,
      "SUZU_REPLY": response.reply ?? "", "SUZU_DUE": response.due ?? "",
    ]
    if let token {
      environment["XDG_ACTIVATION_TOKEN"] = token
      environment["DESKTOP_STARTUP_ID"] = token
    }
    let command = ChildProcess.Command(
      words, environment: environment, input: description(of: response, request).json + "\n", limit: limit,
      grace: grace)
    switch await ChildProcess.run(command, on: loop) {
    case .exited(0, _), .running: return .done
    case .exited(let status, let line): return .failed("exit \(status)" + (line.isEmpty ? "" : ": \(line)"))
    case .signalled(let signal): return .failed("signal \(signal)")
    case .timedOut: return .failed("took longer than \(limit.text)")
    case .notStarted(let why): return .failed(why)
    }
  }

  /// What the program reads.
  private func description(of response: Response, _ request: NotificationRequest) -> PlainValue {
    var description: [String: PlainValue] = [
      "response": .integer(Int64(clamping: response.number)), "app": .text(response.app), "id": .text(response.id),
      "action": .text(response.action), "title": .text(request.title), "userInfo": .dictionary(request.userInfo),
    ]
    if let reply = response.reply { description["reply"] = .text(reply) }
    if let due = response.due { description["due"] = .text(due) }
    if response.missed > 0 { description["missed"] = .integer(Int64(response.missed)) }
    return .dictionary(description)
  }
}
