// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The center's memory and descriptors at a moment when it is idle.
struct CenterSize: Hashable, CustomStringConvertible {
  /// In KiB.
  let resident: Int
  let anonymous: Int
  let peak: Int
  let descriptors: Int
  let store: Int

  init(of center: RunningProgram, store: String) throws {
    let status = try String(contentsOfFile: "/proc/\(center.processID)/status", encoding: .utf8)
    func value(_ key: String) throws -> Int {
      guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key + ":") }),
        let number = Int(line.filter(\.isNumber))
      else { throw TestFailure("no \(key) of the center") }
      return number
    }
    (resident, anonymous, peak) = (try value("VmRSS"), try value("RssAnon"), try value("VmHWM"))
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(center.processID)/fd").count
    let files = try FileManager.default.contentsOfDirectory(atPath: store)
    self.store = files.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: store + "/" + name)
      return sum + (attributes?[.size] as? Int ?? 0) / 1024
    }
  }

  var description: String {
    "\(anonymous) KiB anonymous, \(resident) KiB resident, \(descriptors) descriptors, \(store) KiB on disk"
  }
}
