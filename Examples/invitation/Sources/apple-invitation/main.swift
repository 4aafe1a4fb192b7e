// SPDX-License-Identifier: Apache-2.0
import UserNotifications

// apple-invitation [TEXT]    asks for an answer, and prints answers until it is ended

#if os(Linux)
  UNUserNotificationCenter.appIdentifier = "org.example.Invitation"
#endif

let invitation = Invitation()
try await invitation.ask(CommandLine.arguments.dropFirst().first ?? "Lunch at noon?")
for await answer in invitation.answers { print(answer) }
