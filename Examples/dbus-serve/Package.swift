// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "dbus-serve",
  dependencies: [.package(name: "suzu", path: "../..")],
  targets: [
    .executableTarget(name: "dbus-serve", dependencies: [.product(name: "DBus", package: "suzu")], path: "Sources")
  ]
)
