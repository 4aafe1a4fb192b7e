// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu

extension LauncherCommand {
  /// Cancels the previous requests and registers the enabled actions. Nothing is launched until the user clicks.
  func register(on loop: EventLoop) async throws {
    if let word = names.first { throw CommandError.usage("unexpected argument '\(word)'") }
    let delay: Duration
    do throws(RequestError) { delay = try Duration.parse(arguments.value("delay") ?? "5s") } catch {
      throw CommandError.usage("'--delay' \(error.problem)")
    }
    let file = try readFile()
    let apps = catalogue(file).enabled(in: file)
    guard !apps.isEmpty else {
      throw CommandError.data("nothing is enabled; use 'suzu launcher enable'")
    }
    let requests = try Registration(apps, each: arguments.has("each"), after: delay).requests
    let missing = file.on.filter { key in !apps.contains { $0.items.contains { $0.key == key } } }
    if !missing.isEmpty {
      let keys = missing.map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: ", ")
      Console.remark("skipped because they are no longer installed: \(keys)")
    }
    let center = try await Center.connect(on: loop)
    try await center.cancel(app: NotificationRequest.launcherApp)
    try await center.dismiss(app: NotificationRequest.launcherApp)
    let ids = try await center.notify(requests)
    if arguments.has("json") {
      Console.print("[" + requests.map(\.json).joined(separator: ",\n ") + "]")
    } else {
      Console.print(ids.joined(separator: "\n"))
    }
  }
}

/// The requests for the enabled actions.
struct Registration {
  let requests: [NotificationRequest]

  /// The center folds more than 20 requests in 10 s into a digest without buttons, so the rest is delayed.
  private static let crowd = 20
  private static let pause: Duration = .seconds(11)

  init(_ apps: [Catalogue.App], each: Bool, after delay: Duration) throws(CommandError) {
    var requests: [NotificationRequest] = []
    for app in apps {
      if each {
        for item in app.items {
          requests.append(Self.request(item.key, item.name, app.name, item.icon ?? app.icon, [item], of: app))
        }
      } else {
        let names = app.items.map { $0.key == app.id ? "Open" : $0.name }.joined(separator: ", ")
        requests.append(Self.request(app.id, app.name, names, app.icon, app.items, of: app))
      }
    }
    for index in requests.indices {
      let wait = delay + Self.pause * (index / Self.crowd)
      if wait > .zero { requests[index].when = TriggerWords(in: wait) }
      // Set the total once: setting it again later would undo the counting down by clicks.
      if index == 0 { requests[index].badge = requests.count }
      do throws(RequestError) { _ = try NotificationRequest(Self.words(of: requests[index])) } catch {
        throw .data("'\(PrintableText.line(requests[index].id ?? "", atMost: 120))': \(error)")
      }
    }
    self.requests = requests
  }

  private static func request(
    _ id: String, _ title: String, _ body: String, _ icon: String?, _ items: [Catalogue.Item], of app: Catalogue.App
  ) -> NotificationRequest {
    var actions = items.map { item in
      Action(id: item.key, title: item.key == app.id ? "Open" : item.name, foreground: true, effect: item.effect)
    }
    // A click on the notification itself runs the first action.
    if let first = items.first {
      actions.insert(Action(id: Action.defaultID, title: title, foreground: true, effect: first.effect), at: 0)
    }
    // The style `alert` keeps it on the screen until the user chooses.
    return NotificationRequest(
      app: NotificationRequest.launcherApp, id: id, title: title, body: body == title ? nil : body, icon: icon,
      style: .alert, actions: actions, sound: "none")
  }

  private static func words(of request: NotificationRequest) -> [String: PlainValue] {
    request.words.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
  }
}
