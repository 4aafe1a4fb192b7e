// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "weekly-alarm",
  dependencies: [.package(name: "suzu", path: "../..")],
  targets: [
    .executableTarget(name: "weekly-alarm", dependencies: [.product(name: "Suzu", package: "suzu")]),
    .executableTarget(
      name: "apple-weekly-alarm", dependencies: [.product(name: "UserNotifications", package: "suzu")]),
  ]
)
