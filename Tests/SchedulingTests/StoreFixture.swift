// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Scheduling
import TestSupport

/// A store in a temporary folder, and operations on its files.
final class StoreFixture {
  /// Not made by us, as at the first start.
  let path: String
  private let top: String

  /// In memory where there is such a place, because most tests do not wait for a disk on purpose.
  init(onDisk: Bool = false) throws {
    let isMemory = !onDisk && FileManager.default.isWritableFile(atPath: "/dev/shm")
    top = (isMemory ? "/dev/shm/" : NSTemporaryDirectory() + "/") + "suzu-test-" + UUID().uuidString.prefix(8)
    try FileManager.default.createDirectory(
      atPath: top, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    path = top + "/suzu"
  }

  deinit { try? FileManager.default.removeItem(atPath: top) }

  static let now: Timestamp = 1_800_000_000_000

  func open(_ options: Store.Options = Store.Options()) throws -> Store {
    try Store(folder: path, options: options) { Self.now }
  }

  func file(_ name: String) -> String { path + "/" + name }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: file(name)))) }

  func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: file(name))) }

  /// Takes the file away and puts others in its place.
  func restore(_ files: [String: [UInt8]]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: file(name))
    }
    for (name, bytes) in files { try write(bytes, name) }
  }

  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasSuffix(".ballast") {
      files[name] = try bytes(name)
    }
    return files
  }

  /// Opens files as the next start does after a kill.
  static func opened(_ files: [String: [UInt8]]) throws -> (fixture: StoreFixture, store: Store) {
    let fixture = try StoreFixture()
    try fixture.open().close()
    try fixture.restore(files)
    return (fixture, try fixture.open())
  }

  /// A request that is due `seconds` after ``now``.
  static func request(_ id: String, app: String = "org.example.App", in seconds: Int64 = 60, body: String = "b")
    -> NewRequest
  {
    NewRequest(
      app: app, id: id, payload: "{\"id\":\"\(id)\",\"body\":\"\(body)\"}",
      start: .at(PlannedDate(due: now + seconds * 1000, wall: "2027-01-15T08:00:\(seconds)", zone: "Europe/Paris")))
  }
}

/// The program that writes to a store until it is killed.
enum StoreWriter {
  static let path: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") }
    let folder =
      bundle.map { $0.components(separatedBy: "/").prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/") }
      ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build/debug").path
    return folder + "/store-writer"
  }()

  static func start(
    _ mode: String, _ folder: String, _ number: Int, _ environment: [String: String] = [:]
  ) throws -> RunningProgram {
    try RunningProgram(path, [mode, folder, String(number)], environment: environment)
  }
}

/// How often a test of many rounds goes round: `SUZU_ROUNDS` times more in a long run.
let roundFactor = ProcessInfo.processInfo.environment["SUZU_ROUNDS"].flatMap { Int($0) } ?? 1

extension StoredRequest {
  /// The date, where a test knows that there is one.
  var knownDate: PlannedDate { date ?? PlannedDate(due: .distantPast) }
}

extension RowNumber: ExpressibleByIntegerLiteral {
  /// A number that a test writes.
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension Timestamp: ExpressibleByIntegerLiteral {
  /// A number that a test writes.
  public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
