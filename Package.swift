// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "suzu",
  products: [
    .library(name: "DBus", targets: ["DBus", "EventLoop"]),
    .library(name: "Suzu", targets: ["Suzu", "NotificationModel", "EventLoop"]),
    .executable(name: "suzu", targets: ["suzu"]),
    .executable(name: "suzud", targets: ["suzud"]),
  ],
  targets: [
    // C libraries. CLinux: the kernel's epoll family, which Swift's Glibc module lacks.
    .systemLibrary(name: "CLinux"),
    // The size of a terminal's window, which takes an ioctl.
    .systemLibrary(name: "CTerminal"),
    // The carry-less multiplication of the processor, which Swift has no functions for.
    .systemLibrary(name: "CChecksum"),
    // libdbus-1: the reference client, so that authentication, marshalling and limits are those of every bus.
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    // The system's SQLite, which gets security updates from the distribution.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    .target(name: "SystemFiles", dependencies: ["CLinux"]),
    .target(name: "EventLoop", dependencies: ["CLinux", "SystemFiles"]),
    .target(name: "DBus", dependencies: ["CDBus", "EventLoop", "SystemFiles"]),
    .target(name: "Zoneinfo", dependencies: ["SystemFiles"]),
    .target(name: "NotificationModel", dependencies: ["SystemFiles"]),
    .target(name: "Triggers", dependencies: ["NotificationModel", "Zoneinfo"]),
    .target(
      name: "Scheduling",
      dependencies: [
        "CChecksum", "CSQLite", "EventLoop", "NotificationModel", "SystemFiles", "Triggers", "Zoneinfo",
      ]),
    // Reads the alarms of calendars. libical, which it uses, is not here: linked, it and ICU behind it would be loaded at
    // the start of every `suzu notify`, which takes 2 ms without them. ICalLibrary opens it where it is needed.
    .target(name: "Calendars", dependencies: ["NotificationModel", "SystemFiles", "Triggers", "Zoneinfo"]),
    .target(name: "Freedesktop", dependencies: ["DBus", "EventLoop", "SystemFiles"]),
    // The sources of conditions, which the center knows by the protocol of Scheduling, and where the machine is.
    .target(
      name: "ConditionSources",
      dependencies: ["DBus", "EventLoop", "Freedesktop", "NotificationModel", "Scheduling", "SystemFiles"]),
    // What the center and its clients agree on. No client: it calls nothing, and the center may use it.
    .target(name: "CenterContract", dependencies: ["DBus", "NotificationModel"]),
    .target(name: "Suzu", dependencies: ["CenterContract", "DBus", "EventLoop", "NotificationModel"]),

    .executableTarget(
      name: "suzud",
      dependencies: [
        "Calendars", "CenterContract", "ConditionSources", "DBus", "EventLoop", "Freedesktop", "NotificationModel",
        "Scheduling", "SystemFiles", "Triggers", "Zoneinfo",
      ]),
    .executableTarget(
      name: "suzu",
      dependencies: [
        "CTerminal", "Calendars", "CenterContract", "DBus", "EventLoop", "Freedesktop", "NotificationModel", "Suzu",
        "SystemFiles", "Triggers", "Zoneinfo",
      ]),

    // Compared with Benchmarks/client.c and server.c.
    .executableTarget(name: "dbus-bench", dependencies: ["DBus", "EventLoop"], path: "Benchmarks/dbus-bench"),

    .target(name: "TestSupport", dependencies: ["DBus", "EventLoop", "SystemFiles"], path: "Tests/TestSupport"),
    .testTarget(name: "SystemFilesTests", dependencies: ["SystemFiles", "TestSupport"]),
    .testTarget(name: "EventLoopTests", dependencies: ["CLinux", "EventLoop", "TestSupport"]),
    // CDBus is the oracle for what is a valid name or signature.
    .testTarget(name: "DBusTests", dependencies: ["CDBus", "DBus", "EventLoop", "TestSupport"]),
    .testTarget(name: "ZoneinfoTests", dependencies: ["TestSupport", "Zoneinfo"]),
    .testTarget(
      name: "CalendarsTests", dependencies: ["Calendars", "NotificationModel", "TestSupport", "Triggers", "Zoneinfo"]),
    .testTarget(
      name: "suzudTests",
      dependencies: [
        "CLinux", "Calendars", "CenterContract", "DBus", "EventLoop", "Freedesktop", "NotificationModel", "Scheduling",
        "SystemFiles", "TestSupport", "Triggers", "Zoneinfo", "suzud",
      ]),
    .testTarget(name: "EndToEndTests", dependencies: ["DBus", "EventLoop", "TestSupport"]),
    // Real notification servers.
    .testTarget(name: "ServerTests", dependencies: ["Freedesktop", "TestSupport"], exclude: ["Fingers"]),
    .testTarget(
      name: "FreedesktopTests", dependencies: ["DBus", "EventLoop", "Freedesktop", "TestSupport"]),
    .testTarget(
      name: "ConditionSourcesTests",
      dependencies: [
        "ConditionSources", "DBus", "EventLoop", "Freedesktop", "NotificationModel", "Scheduling", "TestSupport",
      ]),
    // DBus is one of the formats of requests.
    .testTarget(name: "NotificationModelTests", dependencies: ["DBus", "NotificationModel"]),
    .testTarget(name: "CenterContractTests", dependencies: ["CenterContract", "DBus", "NotificationModel"]),
    .testTarget(
      name: "SuzuTests", dependencies: ["DBus", "EventLoop", "NotificationModel", "Suzu", "TestSupport"]),
    // Writes to a store: a test kills it in the middle, and `make bench` measures it.
    .executableTarget(name: "store-writer", dependencies: ["Scheduling"], path: "Tests/StoreWriter"),
    .testTarget(name: "TriggersTests", dependencies: ["NotificationModel", "TestSupport", "Triggers", "Zoneinfo"]),
    .testTarget(
      name: "SchedulingTests",
      dependencies: [
        "EventLoop", "NotificationModel", "Scheduling", "TestSupport", "Triggers", "Zoneinfo", "store-writer",
      ]
    ),
    // Runs the center as a program: killed, without disk space, without a bus. `suzud` is listed to be built first.
    .testTarget(
      name: "FaultTests", dependencies: ["DBus", "EventLoop", "TestSupport", "suzud"], exclude: ["Attacks"]),
    .testTarget(
      name: "suzuTests",
      dependencies: [
        "CTerminal", "Calendars", "EventLoop", "NotificationModel", "Suzu", "TestSupport", "Triggers", "Zoneinfo",
        "suzu",
      ]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}
