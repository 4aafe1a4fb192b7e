// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A process's memory and descriptors.
struct Footprint {
  /// In KiB.
  let memory: Int
  let descriptors: Int

  init(of process: Int32) throws {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    // Without what it maps of its own file, which comes and goes as the system likes.
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let memory = Int(line.filter(\.isNumber))
    else { throw TestFailure("process \(process) tells nothing of its memory") }
    self.memory = memory
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
  }
}
