// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Suzu

extension LauncherCommand {
  /// Takes back what was registered before, and registers what is switched on now. Nothing is launched by that: a click
  /// does it, and nothing else.
  func register(on loop: EventLoop) async throws {
    if let word = names.first { throw CommandError.usage("'\(word)' is one word too many") }
    let delay: Duration
    do throws(RequestError) { delay = try Duration.parse(arguments.value("delay") ?? "5s") } catch {
      throw CommandError.usage("'--delay' \(error.problem)")
    }
    let file = try readFile()
    let apps = catalogue(file).enabled(in: file)
    guard !apps.isEmpty else {
      throw CommandError.data("nothing is switched on: do that with 'suzu launcher enable'")
    }
    let requests = try Registration(apps, each: arguments.has("each"), after: delay).requests
    let missing = file.on.filter { key in !apps.contains { $0.items.contains { $0.key == key } } }
    if !missing.isEmpty {
      let keys = missing.map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: ", ")
      Console.remark("not installed any more, and left out: \(keys)")
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

/// The requests that stand for what is switched on.
struct Registration {
  let requests: [NotificationRequest]

  /// The center folds what is more than 20 in 10 s into one, which nothing can be launched from: the rest comes later.
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
      // The number is of all of them, and set but once: one that comes later must not undo what clicks have counted down.
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
      Action(id: item.key, title: item.key == app.id ? "Open" : item.name, foreground: true, doing: item.doing)
    }
    // The first is what a click on the notification itself does, too.
    if let first = items.first {
      actions.insert(Action(id: Action.defaultID, title: title, foreground: true, doing: first.doing), at: 0)
    }
    // It stays until something was chosen, as what is to be launched from should.
    return NotificationRequest(
      app: NotificationRequest.launcherApp, id: id, title: title, body: body == title ? nil : body, icon: icon,
      style: .alert, actions: actions, sound: "none")
  }

  private static func words(of request: NotificationRequest) -> [String: PlainValue] {
    request.words.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
  }
}
