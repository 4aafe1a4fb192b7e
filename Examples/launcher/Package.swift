// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "launcher",
  dependencies: [.package(name: "suzu", path: "../..")],
  targets: [
    .target(name: "Catalogue"),
    .executableTarget(name: "launcher", dependencies: ["Catalogue", .product(name: "Suzu", package: "suzu")]),
    .executableTarget(
      name: "apple-launcher",
      dependencies: [
        "Catalogue", .product(name: "UIKit", package: "suzu"), .product(name: "UserNotifications", package: "suzu"),
      ]),
  ]
)
