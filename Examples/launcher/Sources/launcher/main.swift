// SPDX-License-Identifier: Apache-2.0
import Catalogue
import Suzu

// launcher import APPLIST SCHEMES    reads the two property lists
// launcher on NAME, launcher off NAME    switches an app or one of its actions
// launcher register [SECONDS]    shows a notification for each action that is on, in five seconds, and ends
// launcher    prints the apps and their actions
//
// A click on a notification opens the URL of its action. The center does that, so this program need not run.

let launcher = try await Center.connect().app("org.example.Launcher")

func register(_ catalogue: Catalogue, after delay: Duration) async throws {
  try await launcher.cancelAll()
  try await launcher.dismissAll()
  let requests = try catalogue.enabled.map { entry in
    var content = NotificationRequest.Content(title: entry.name)
    content.body = entry.app
    content.style = .alert
    content.url = entry.scheme
    return try launcher.request(content, at: .after(delay), id: RequestID(entry.name))
  }
  try await launcher.notify(requests)
  print("registered \(requests.count) actions")
}

var catalogue = Catalogue()
let words = Array(CommandLine.arguments.dropFirst())
if words.first == "register" {
  try await register(catalogue, after: .seconds(words.dropFirst().first.flatMap { Int($0) } ?? 5))
} else if try words.isEmpty || catalogue.change(words) {
  print(catalogue)
} else {
  print("usage: launcher [import APPLIST SCHEMES | on NAME | off NAME | register [SECONDS]]")
}
