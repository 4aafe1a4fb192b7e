// SPDX-License-Identifier: Apache-2.0
import Suzu

// invitation [TEXT]    asks for an answer, prints it, and ends

let app = try await Center.connect().app("org.example.Invitation")

try await app.setCategories([
  Category(
    id: "invitation",
    actions: [
      Action(id: "accept", title: "Accept"),
      Action(id: "maybe", title: "Maybe"),
      Action(id: "decline", title: "Decline"),
      Action(id: "trash", title: "Trash", destructive: true, authenticationRequired: true),
      Action(id: "reply", title: "Reply…", foreground: true, input: .init(placeholder: "Your answer", button: "Send")),
    ],
    // Where there is room for four, and for two. The others are behind one more button.
    standard: ["accept", "maybe", "decline", "reply", "trash"], minimal: ["accept", "decline"])
])
let responses = try await app.responses()
try await app.notify(CommandLine.arguments.dropFirst().first ?? "Lunch at noon?", body: "Anna asks", id: "lunch") {
  $0.category = "invitation"
  $0.style = .alert
}

for await response in responses {
  switch response.action {
  case "accept": print("You accept.")
  case "maybe": print("You may come.")
  case "decline": print("You decline.")
  case "trash": print("You do not answer.")
  case "reply": print("You answer: \(response.reply ?? "")")
  default: print("You look at it.")
  }
  await response.complete()
  break
}
