// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "suzu",
  products: [
    .library(name: "DBus", targets: ["DBus", "EventLoop"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .library(name: "Suzu", targets: ["Suzu", "CenterClient", "NotificationModel", "EventLoop"]),
    .library(name: "SuzuTesting", targets: ["SuzuTesting", "TestStage"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .library(name: "UserNotifications", targets: ["UserNotifications"]),
    .executable(name: "suzu", targets: ["suzu"]),
    .executable(name: "suzu-link", targets: ["suzu-link"]),
    .executable(name: "suzu-window", targets: ["suzu-window"]),
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

    // The transfer library of Debian, which gets its security updates: TLS with all checks of the host, HTTP, proxies
    // and names are not to be written again. It also makes the connections for MQTT, whose packets are read by Links:
    // of libmosquitto, only these would be used, and it acknowledges messages too early. Only suzu-link links it, so
    // that the other programs hold no network code.
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    // The elliptic curve and the cipher of Web Push, which are not to be written again either. It is in memory anyway:
    // libcurl of Debian uses it for TLS.
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    // GTK and libadwaita, for suzu-window only; see the end of this file.
    .systemLibrary(name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),

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
    // Reads the alarms of calendars. libical, which it uses, is not here: linked, it and ICU behind it would be loaded
    // at the start of every `suzu notify`, which takes 2 ms without them. ICalLibrary opens it where it is needed.
    .target(name: "Calendars", dependencies: ["NotificationModel", "SystemFiles", "Triggers", "Zoneinfo"]),
    .target(name: "Freedesktop", dependencies: ["DBus", "EventLoop", "SystemFiles"]),
    // The sources of conditions, which the center knows by the protocol of Scheduling, and where the machine is.
    .target(
      name: "ConditionSources",
      dependencies: ["DBus", "EventLoop", "Freedesktop", "NotificationModel", "Scheduling", "SystemFiles"]),
    // What the center and its clients agree on. No client: it calls nothing, and the center may use it.
    .target(name: "CenterContract", dependencies: ["DBus", "NotificationModel"]),
    // The calls of the center, for our command and for the libraries below. Without Foundation, which would double the
    // time that the command takes to start.
    .target(name: "CenterClient", dependencies: ["CenterContract", "DBus", "EventLoop", "NotificationModel"]),
    // The links to servers elsewhere: their files and states, and what messages mean. Pure, but for reading these
    // files.
    .target(name: "Links", dependencies: ["NotificationModel", "SystemFiles"]),
    // What the launcher offers and what of it is enabled: files of the user. It shows and runs nothing.
    .target(name: "Launcher", dependencies: ["Freedesktop", "NotificationModel", "SystemFiles"]),
    // For Swift programs.
    .target(
      name: "Suzu",
      dependencies: ["CenterClient", "CenterContract", "DBus", "EventLoop", "Freedesktop", "NotificationModel"]),
    // What tests need around a program: buses, servers, processes. It knows neither the center nor its clients, so that
    // the tests of every library may use it.
    .target(name: "TestStage", dependencies: ["DBus", "EventLoop", "Freedesktop", "SystemFiles"]),
    // For the tests of programs that use Suzu, and for our own. Only tests depend on it.
    .target(
      name: "SuzuTesting",
      dependencies: ["NotificationModel", "Scheduling", "Suzu", "TestStage", "Triggers", "Zoneinfo"]),

    // Apple's names. RunningApp is what they share: this program as an app of the center.
    .target(name: "RunningApp", dependencies: ["CenterClient", "NotificationModel", "Suzu"]),
    .target(name: "CoreLocation", dependencies: ["CenterClient", "NotificationModel", "RunningApp", "Suzu"]),
    .target(
      name: "UserNotifications",
      dependencies: [
        "CenterClient", "CoreLocation", "NotificationModel", "RunningApp", "Suzu", "Triggers", "Zoneinfo",
      ]),
    .target(name: "UIKit", dependencies: ["CoreLocation", "NotificationModel", "RunningApp", "UserNotifications"]),

    .executableTarget(
      name: "suzud",
      dependencies: [
        "Calendars", "CenterContract", "ConditionSources", "DBus", "EventLoop", "Freedesktop", "NotificationModel",
        "Scheduling", "SystemFiles", "Triggers", "Zoneinfo",
      ]),
    // libpng, which decodes pictures for some terminals, is not here for the same reason: only `suzu popups` needs it,
    // and PNGLibrary opens it with the first such picture. A decoder of our own would be one more to keep safe.
    .executableTarget(
      name: "suzu",
      dependencies: [
        "CTerminal", "Calendars", "CenterClient", "CenterContract", "DBus", "EventLoop", "Freedesktop", "Launcher",
        "Links", "NotificationModel", "SystemFiles", "Triggers", "Zoneinfo",
      ],
      // At a fixed address: a sixth of the start of this short program was to write addresses into 140 pages. Its
      // stack, its heap and the libraries of C stay at random ones. The programs that keep running have no such reason.
      linkerSettings: [.unsafeFlags(["-Xclang-linker", "-no-pie"], .when(configuration: .release))]),
    // What suzu-link does. A library, because `make fleet` runs many links in one process.
    .target(
      name: "RunningLinks",
      dependencies: [
        "CCrypto", "CCurl", "CenterContract", "DBus", "EventLoop", "Links", "NotificationModel", "SystemFiles",
      ]),
    // The only program that opens a connection to the world.
    .executableTarget(name: "suzu-link", dependencies: ["EventLoop", "Links", "NotificationModel", "RunningLinks"]),

    // What the pages of the window show, without a toolkit, so that it is tested without a screen.
    .target(name: "WindowModel", dependencies: ["Launcher", "NotificationModel", "Triggers", "Zoneinfo"]),
    // A client of the center like others: it knows neither its store nor its parts.
    .executableTarget(
      name: "suzu-window",
      dependencies: [
        "CAdwaita", "CenterClient", "CenterContract", "EventLoop", "Freedesktop", "Launcher", "Links",
        "NotificationModel", "SystemFiles", "WindowModel", "Zoneinfo",
      ]),

    // Compared with Benchmarks/client.c and server.c.
    .executableTarget(name: "dbus-bench", dependencies: ["DBus", "EventLoop"], path: "Benchmarks/dbus-bench"),
    // Compared with Benchmarks/rules.c.
    .executableTarget(name: "rule-bench", dependencies: ["Triggers", "Zoneinfo"], path: "Benchmarks/rule-bench"),
    // Many links in one process, for `make fleet`.
    .executableTarget(
      name: "link-fleet", dependencies: ["EventLoop", "Links", "NotificationModel", "RunningLinks", "TestStage"],
      path: "Benchmarks/link-fleet"),

    .target(
      name: "TestSupport", dependencies: ["CTerminal", "DBus", "EventLoop", "SystemFiles", "TestStage"],
      path: "Tests/TestSupport"),
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
    .testTarget(
      name: "WindowModelTests",
      dependencies: ["Launcher", "NotificationModel", "TestSupport", "Triggers", "WindowModel", "Zoneinfo"]),
    // The window on a virtual screen, with the real center, as a screen reader and a keyboard see it.
    .testTarget(name: "SuzuWindowTests", dependencies: ["TestSupport", "suzu", "suzu-window", "suzud"]),
    .testTarget(name: "LinksTests", dependencies: ["Links", "NotificationModel", "TestSupport"]),
    // The program against real and scripted servers, and a scripted center.
    .testTarget(
      name: "SuzuLinkTests",
      dependencies: [
        "CenterContract", "DBus", "EventLoop", "Links", "NotificationModel", "RunningLinks", "TestSupport",
        "link-fleet",
        "suzu", "suzu-link", "suzud",
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
    .testTarget(name: "NotificationModelTests", dependencies: ["DBus", "NotificationModel", "TestSupport"]),
    .testTarget(name: "CenterContractTests", dependencies: ["CenterContract", "DBus", "NotificationModel"]),
    .testTarget(
      name: "CenterClientTests",
      dependencies: ["CenterClient", "DBus", "EventLoop", "NotificationModel", "TestSupport"]),
    // An app that the bus starts.
    .executableTarget(name: "tea-app", dependencies: ["Suzu"], path: "Tests/TeaApp"),
    .testTarget(
      name: "SuzuTests", dependencies: ["CenterClient", "DBus", "EventLoop", "Suzu", "TestSupport", "suzud", "tea-app"]),
    // Also compares the stand-in of the center with the center, which it runs as a program.
    .testTarget(
      name: "SuzuTestingTests",
      dependencies: [
        "DBus", "EventLoop", "Freedesktop", "Suzu", "SuzuTesting", "TestSupport", "suzud",
      ]),
    // The programs of the packages in Examples, for ExampleTests. `make examples` builds the packages themselves.
    .executableTarget(name: "dbus-call", dependencies: ["DBus"], path: "Examples/dbus-call/Sources"),
    .executableTarget(name: "dbus-serve", dependencies: ["DBus"], path: "Examples/dbus-serve/Sources"),
    .executableTarget(name: "tea", dependencies: ["Suzu"], path: "Examples/tea/Sources"),
    .target(name: "Catalogue", path: "Examples/launcher/Sources/Catalogue"),
    .executableTarget(
      name: "launcher", dependencies: ["Catalogue", "Suzu"], path: "Examples/launcher/Sources/launcher"),
    .executableTarget(
      name: "apple-launcher", dependencies: ["Catalogue", "UIKit", "UserNotifications"],
      path: "Examples/launcher/Sources/apple-launcher"),
    .executableTarget(
      name: "weekly-alarm", dependencies: ["Suzu"], path: "Examples/weekly-alarm/Sources/weekly-alarm"),
    .executableTarget(
      name: "apple-weekly-alarm", dependencies: ["UserNotifications"],
      path: "Examples/weekly-alarm/Sources/apple-weekly-alarm"),
    .executableTarget(name: "invitation", dependencies: ["Suzu"], path: "Examples/invitation/Sources/invitation"),
    .executableTarget(
      name: "apple-invitation", dependencies: ["UserNotifications"],
      path: "Examples/invitation/Sources/apple-invitation"),
    .executableTarget(
      name: "uikit-invitation", dependencies: ["UIKit", "UserNotifications"],
      path: "Examples/invitation/Sources/uikit-invitation"),
    .executableTarget(name: "region", dependencies: ["Suzu"], path: "Examples/region/Sources/region"),
    .executableTarget(
      name: "apple-region", dependencies: ["CoreLocation", "UserNotifications"],
      path: "Examples/region/Sources/apple-region"),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "DBus", "Suzu", "TestSupport", "apple-invitation", "apple-launcher", "apple-region", "apple-weekly-alarm",
        "dbus-call", "dbus-serve", "invitation", "launcher", "region", "suzu", "suzud", "tea", "uikit-invitation",
        "weekly-alarm",
      ]),
    // Code as apps have it, with the settings that their packages have.
    .target(
      name: "AppleManners5", dependencies: ["CoreLocation", "UserNotifications"], path: "Tests/AppleManners/Swift5"),
    .target(name: "AppleManners6", dependencies: ["UserNotifications"], path: "Tests/AppleManners/Swift6"),
    .executableTarget(name: "old-app", dependencies: ["UIKit"], path: "Tests/AppleManners/OldApp"),
    .executableTarget(name: "new-app", dependencies: ["UIKit"], path: "Tests/AppleManners/NewApp"),
    .executableTarget(name: "todo-app", dependencies: ["UIKit"], path: "Tests/AppleManners/TodoApp"),
    .executableTarget(
      name: "main-actor-app", dependencies: ["UIKit", "UserNotifications"], path: "Tests/AppleManners/MainActorApp"),
    .executableTarget(
      name: "push-app", dependencies: ["UIKit", "UserNotifications"], path: "Tests/AppleManners/PushApp"),
    .testTarget(
      name: "UserNotificationsTests",
      dependencies: [
        "AppleManners5", "AppleManners6", "CenterClient", "CoreLocation", "DBus", "EventLoop", "NotificationModel",
        "RunningApp", "Suzu", "TestSupport", "UIKit", "UserNotifications", "main-actor-app", "new-app", "old-app",
        "push-app", "suzu", "suzud", "todo-app",
      ]),
    // Writes to a store: a test kills it in the middle, and `make bench` measures it.
    .executableTarget(
      name: "store-writer", dependencies: ["NotificationModel", "Scheduling"], path: "Tests/StoreWriter"),
    .testTarget(name: "TriggersTests", dependencies: ["NotificationModel", "TestSupport", "Triggers", "Zoneinfo"]),
    .testTarget(
      name: "SchedulingTests",
      dependencies: [
        "EventLoop", "NotificationModel", "Scheduling", "SuzuTesting", "TestSupport", "Triggers", "Zoneinfo",
        "store-writer",
      ]
    ),
    // The center's objects on simulated clocks, a simulated disk, which SQLite writes to, and a simulated server.
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "CSQLite", "CenterContract", "DBus", "EventLoop", "Freedesktop", "NotificationModel", "Scheduling",
        "SuzuTesting", "TestSupport", "Triggers", "Zoneinfo", "suzud",
      ],
      exclude: ["mutants.toml"]),
    // `make fuzz` compiles the surfaces and the engine once more, instrumented.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "CDBus", "Calendars", "CenterContract", "DBus", "Freedesktop", "Links", "NotificationModel", "Scheduling",
        "TestSupport", "Triggers", "Zoneinfo", "suzud",
      ],
      exclude: ["Corpus", "Engine"]),
    // Runs the center as a program: killed, without disk space, without a bus. `suzud` is listed to be built first.
    .testTarget(
      name: "FaultTests", dependencies: ["DBus", "EventLoop", "TestSupport", "suzud"], exclude: ["Attacks"]),
    .testTarget(
      name: "suzuTests",
      dependencies: [
        "CTerminal", "Calendars", "CenterClient", "DBus", "EventLoop", "Freedesktop", "Launcher", "NotificationModel",
        "TestSupport", "Triggers", "Zoneinfo", "suzu",
      ]),
  ]
)

// libadwaita is large, and only the window needs it: without its headers, everything else is built. Scripts/swift looks
// for them and sets the variable, because SwiftPM keeps what a manifest found out for as long as its text is the same.
if Context.environment["SUZU_WINDOW"] != "1" {
  let parts: Set = ["CAdwaita", "suzu-window", "SuzuWindowTests"]
  package.targets.removeAll { parts.contains($0.name) }
  package.products.removeAll { parts.contains($0.name) }
}

// A requirement that inherits its caller's isolation would make the methods of a delegate on the main actor
// nonisolated.
let callersOfDelegates: Set = ["CoreLocation", "UIKit", "UserNotifications"]

let manners: [String: [SwiftSetting]] = [
  "AppleManners5": [.swiftLanguageMode(.v5)],
  "AppleManners6": [.swiftLanguageMode(.v6)],
  "old-app": [.swiftLanguageMode(.v5)],
  "new-app": [.swiftLanguageMode(.v6)],
  "todo-app": [.swiftLanguageMode(.v5)],
  "push-app": [.swiftLanguageMode(.v6)],
  // Those of a new project of Xcode 26.
  "main-actor-app": [
    .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ],
]

for target in package.targets where target.type != .system {
  if let settings = manners[target.name] {
    target.swiftSettings = settings
    continue
  }
  if target.path?.hasPrefix("Examples/") == true {
    // Those of a new package.
    target.swiftSettings = [.treatAllWarnings(as: .error)]
    continue
  }
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
  if !callersOfDelegates.contains(target.name) {
    target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
  }
}
