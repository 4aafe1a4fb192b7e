// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import SystemFiles

/// Carries out the effect of an action.
struct ActionRunner {
  let loop: EventLoop
  /// How long a program behind a button may run, and how long it then has to exit.
  let limit: Duration
  let grace: Duration
  var apps = Desktop.Apps()
  var urls = Desktop.URLs()
  /// The program that opens URLs.
  var opener = URLOpener.usualProgram

  /// Runs a program, after filling in its arguments.
  ///
  /// - Parameter click: its rights have been checked.
  func run(_ words: [String], for click: Click) async -> Outcome {
    do throws(Template.Gap) {
      return await run(try fill(words, click), click)
    } catch {
      return .failed(error.description)
    }
  }

  /// Opens a URL, after filling in its texts.
  ///
  /// - Parameter click: its rights have been checked.
  func open(_ url: String, for click: Click) async -> Outcome {
    do throws(Template.Gap) {
      return await open(try fill(url, click), click)
    } catch {
      return .failed(error.description)
    }
  }

  /// Launches the desktop entry `id`, or the action `id:action` of it.
  ///
  /// - Parameter click: its rights have been checked.
  func launch(_ entry: String, for click: Click) async -> Outcome { await apps.launch(entry, click.token) }

  private func fill(_ words: [String], _ click: Click) throws(Template.Gap) -> [String] {
    var filled: [String] = []
    for word in words { filled.append(try template(word).filled(for: click.response, of: click.request)) }
    return filled
  }

  private func fill(_ url: String, _ click: Click) throws(Template.Gap) -> String {
    try template(url).filled(for: click.response, of: click.request, encode: { PercentCoding.encoded($0) })
  }

  private func template(_ text: String) throws(Template.Gap) -> Template {
    // The template was checked at intake.
    do throws(RequestError) { return try Template(text) } catch { throw Template.Gap(error.problem) }
  }

  private func open(_ url: String, _ click: Click) async -> Outcome {
    guard url.utf8.count <= ArgumentLimit.longestArgument else {
      return .refused("the URL has \(url.utf8.count) bytes; the limit is \(ArgumentLimit.longestArgument)")
    }
    let token = click.token
    var policy = urls.policy()
    // Files are only for programs that can read the user's files anyway.
    if click.rights != .all { policy.allowsFiles = false }
    let ending: URLOpener.Ending
    if let open = urls.open {
      ending = await open(url, token, policy)
    } else {
      ending = await URLOpener.open(url, activationToken: token, with: opener, on: loop, policy: policy)
    }
    return switch ending {
    case .opened: .done
    case .refused(let why): .refused(why)
    case .failed(let why): .failed(why)
    }
  }

  private func run(_ words: [String], _ click: Click) async -> Outcome {
    let response = click.response
    // Checked at intake as well, but the category may have changed since.
    if let problem = ArgumentLimit.problem(of: words) ?? Self.problem(of: response) {
      return .failed("\(words[0]) cannot be started with \(problem)")
    }
    var environment = [
      "SUZU_APP": response.app, "SUZU_ID": response.id, "SUZU_ACTION": response.action,
      "SUZU_REPLY": response.reply ?? "", "SUZU_DUE": response.due ?? "",
    ]
    if let token = click.token, token.utf8.count <= Self.longestToken {
      environment["XDG_ACTIVATION_TOKEN"] = token
      environment["DESKTOP_STARTUP_ID"] = token
    }
    // A program that comes to the front may stay open for as long as it is used, so it has no time limit.
    var command = ChildProcess.Command(
      words, environment: environment, limit: click.action.foreground ? nil : limit, grace: grace,
      waitLimit: click.action.foreground ? .seconds(10) : nil)
    command.input = { Self.description(of: response, click.request).json + "\n" }
    let takeOut = apps.takeOut
    command.whenStarted = { takeOut(response.app, $0) }
    switch await ChildProcess.run(command, on: loop) {
    case .exited(0, _), .running: return .done
    case .exited(let status, let line): return .failed("exit \(status)" + (line.isEmpty ? "" : ": \(line)"))
    case .signalled(let signal): return .failed("signal \(signal)")
    case .timedOut: return .failed("took longer than \(limit.text)")
    case .notStarted(let why): return .failed(why)
    }
  }

  /// A longer token from a server is ignored: it would keep the program from being started.
  private static let longestToken = 4096

  private static func problem(of response: Response) -> String? {
    let length = "SUZU_REPLY=".utf8.count + (response.reply?.utf8.count ?? 0)
    return length <= ArgumentLimit.longestArgument ? nil : "a reply of \(length) bytes in its environment"
  }

  /// The JSON that the program reads on standard input.
  private static func description(of response: Response, _ request: NotificationRequest) -> PlainValue {
    var description: [String: PlainValue] = [
      "response": .integer(Int64(clamping: response.number)), "app": .text(response.app), "id": .text(response.id),
      "action": .text(response.action), "title": .text(request.content.title),
      "userInfo": .dictionary(request.content.userInfo),
    ]
    if let reply = response.reply { description["reply"] = .text(reply) }
    if let due = response.due { description["due"] = .text(due) }
    if response.missed > 0 { description["missedDates"] = .integer(Int64(response.missed)) }
    if !response.event.isEmpty { description["event"] = .dictionary(response.event.mapValues { .text($0) }) }
    return .dictionary(description)
  }
}
