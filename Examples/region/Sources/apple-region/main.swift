// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import UserNotifications

// apple-region LATITUDE LONGITUDE [METRES]    the same, and prints which notification was opened until it is ended

#if os(Linux)
  UNUserNotificationCenter.appIdentifier = "org.example.Region"
#endif

let numbers = CommandLine.arguments.dropFirst().compactMap { Double($0) }
if numbers.count >= 2 {
  let place = CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1])
  let region = Region(place, radius: numbers.count > 2 ? numbers[2] : 200)
  region.watch()
  for await line in region.lines { print(line) }
} else {
  print("usage: apple-region LATITUDE LONGITUDE [METRES]")
}
