// SPDX-License-Identifier: Apache-2.0
import Suzu

// tea [MINUTES]    asks for a notification in so many minutes, or in four, and ends
// tea --service    is what the bus starts when you press a button of the notification

let tea = try await Center.connect().app("org.example.Tea")

func brew(_ minutes: Int) async throws(SuzuError) {
  try await tea.notify(
    "Tea is ready", body: "It brewed for \(minutes) min.", at: .after(.minutes(minutes)), id: "tea",
    actions: [
      Action(id: "again", title: "Another cup"),
      Action(id: "stronger", title: "Stronger", input: .init(placeholder: "minutes", button: "Brew")),
    ]
  ) {
    $0.style = .alert
    $0.userInfo = ["minutes": .integer(Int64(minutes))]
  }
}

func answer(_ response: AppResponse) async {
  var minutes = 4
  if case .integer(let last)? = response.userInfo["minutes"] { minutes = Int(last) }
  switch response.action {
  case "again": break
  case "stronger":
    guard let wish = response.reply.flatMap({ Int($0) }), 1...60 ~= wish else {
      return await response.fail("'\(response.reply ?? "")' is no number of minutes")
    }
    minutes = wish
  default: return await response.complete()
  }
  do {
    try await brew(minutes)
    await response.complete()
  } catch {
    await response.fail(error.message)
  }
}

if CommandLine.arguments.dropFirst().first == "--service" {
  try await tea.takeName()
  try await tea.handleResponses(untilIdle: .seconds(2), answer)
} else {
  try await brew(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 4)
}
