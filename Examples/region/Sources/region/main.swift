// SPDX-License-Identifier: Apache-2.0
import Suzu

// region LATITUDE LONGITUDE [METRES]    tells you each time that the machine arrives there or leaves: region 52.52 13.405
//
// The center watches the place. This program asks for that, and ends.

let app = try await Center.connect().app("org.example.Region")

func watch(_ latitude: Double, _ longitude: Double, _ metres: Double) async throws {
  guard try await app.register(for: [.alert, .places]).contains(.places) else {
    return print("The user does not let this app know the place.")
  }
  let circle = "place \(latitude),\(longitude) \(metres)m"
  try await app.notify("You have arrived", at: .whenever(Condition("enter \(circle)")), id: "arrived") {
    $0.body = "Start the time sheet."
    $0.url = "https://example.org/timesheet"
  }
  try await app.notify("You have left", at: .whenever(Condition("leave \(circle)")), id: "left") {
    $0.body = "Have you locked the door?"
  }
  print("waiting")
}

let numbers = CommandLine.arguments.dropFirst().compactMap { Double($0) }
if numbers.count >= 2 {
  try await watch(numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 200)
} else {
  print("usage: region LATITUDE LONGITUDE [METRES]")
}
