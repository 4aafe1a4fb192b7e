// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Zoneinfo

/// Every zone of this system, each distinct file content once.
enum AllZones {
  static let database = ZoneDatabase.system
  static let names = database.names()

  struct Distinct: Sendable {
    let name: String
    let file: TimeZoneFile
    let rules: ZoneRules
  }

  static let distinct: [Distinct] = {
    var seen: Set<[UInt8]> = []
    var zones: [Distinct] = []
    for name in names {
      do {
        let bytes = try content(of: name)
        if seen.insert(bytes).inserted {
          let file = try TimeZoneFile(bytes)
          zones.append(Distinct(name: name, file: file, rules: try ZoneRules(file)))
        }
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
    return zones
  }()

  static func content(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: database.folder + "/" + name)))
  }

  /// A Python list literal such as `["A","B"]`: names have neither quotes nor backslashes.
  static func pythonList(_ texts: [String]) -> String {
    "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }

  /// The abbreviation as a number, for comparison with Python.
  static func number(_ abbreviation: String) -> Int64 {
    abbreviation.utf8.reduce(0) { $0 << 8 | Int64($1) }
  }
}

extension Instant {
  init(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) {
    // Only for valid dates and times in the tests.
    self.init(CivilDateTime(year: year, month: month, day: day, hour: hour, minute: minute)!, at: .utc)
  }
}
