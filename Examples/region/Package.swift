// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "region",
  dependencies: [.package(name: "suzu", path: "../..")],
  targets: [
    .executableTarget(name: "region", dependencies: [.product(name: "Suzu", package: "suzu")]),
    .executableTarget(
      name: "apple-region",
      dependencies: [
        .product(name: "CoreLocation", package: "suzu"), .product(name: "UserNotifications", package: "suzu"),
      ]),
  ]
)
