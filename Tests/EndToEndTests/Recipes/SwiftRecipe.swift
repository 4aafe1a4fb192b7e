// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Compiles an example in Swift as a program of its own, with the built libraries.
enum SwiftRecipe {
  private static let libraries = [
    "Suzu", "CenterClient", "CenterContract", "Freedesktop", "DBus", "NotificationModel", "EventLoop", "SystemFiles",
  ]

  /// The shell command that runs it. `others` are needed in addition to the libraries below `Suzu`.
  static func build(_ file: String, with others: [String] = [], in folder: TemporaryFolder) throws -> String {
    let source = folder.path("main.swift")
    try FileManager.default.copyItem(atPath: file, toPath: source)
    let objects = try (libraries + others).flatMap { library in
      let built = Session.programs + "/\(library).build"
      // A build keeps the objects of files that have since been renamed.
      let folder = FileManager.default.enumerator(atPath: Session.checkout.appending(path: "Sources/\(library)").path)
      let names = Set((folder?.allObjects as? [String] ?? []).map { ($0 as NSString).lastPathComponent + ".o" })
      return try FileManager.default.contentsOfDirectory(atPath: built).filter(names.contains)
        .map { built + "/" + $0 }
    }
    #expect(!objects.isEmpty)
    let built = try compile(
      [source] + objects + ["-ldbus-1", "-o", folder.path("program")], within: 60)
    #expect(built.status == 0, "\(built.errors)")
    return "exec '\(folder.path("program"))'"
  }

  /// Checks a program, or a file of declarations, without building it.
  static func check(
    _ file: String, asProgram isProgram: Bool = true
  ) throws -> (status: Int32, output: String, errors: String) {
    try compile((isProgram ? [] : ["-parse-as-library"]) + ["-typecheck", file], within: 60)
  }

  private static func compile(
    _ words: [String], within seconds: Double
  ) throws -> (status: Int32, output: String, errors: String) {
    // The compiler also needs modules that a client of the libraries does not see.
    let sources = Session.checkout.appending(path: "Sources").path
    let maps = try FileManager.default.contentsOfDirectory(atPath: sources).map { "\(sources)/\($0)/module.modulemap" }
      .filter { FileManager.default.fileExists(atPath: $0) }
    let environment = ProcessInfo.processInfo.environment
    let headers = try RunningProgram.run("pkg-config", ["--cflags-only-I", "dbus-1"], environment: environment).output
    let toC = maps.map { "-fmodule-map-file=" + $0 } + headers.split(whereSeparator: \.isWhitespace).map(String.init)
    return try RunningProgram.run(
      "swiftc", ["-swift-version", "6", "-I", Session.programs + "/Modules"] + toC.flatMap { ["-Xcc", $0] } + words,
      environment: environment, within: seconds)
  }
}
