// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "tea",
  dependencies: [.package(name: "suzu", path: "../..")],
  targets: [
    .executableTarget(name: "tea", dependencies: [.product(name: "Suzu", package: "suzu")], path: "Sources")
  ]
)
