// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "invitation",
  dependencies: [.package(name: "suzu", path: "../..")],
  targets: [
    .executableTarget(name: "invitation", dependencies: [.product(name: "Suzu", package: "suzu")]),
    .executableTarget(name: "apple-invitation", dependencies: [.product(name: "UserNotifications", package: "suzu")]),
    .executableTarget(
      name: "uikit-invitation",
      dependencies: [.product(name: "UIKit", package: "suzu"), .product(name: "UserNotifications", package: "suzu")]),
  ]
)
