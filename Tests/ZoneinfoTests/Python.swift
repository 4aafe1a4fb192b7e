// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Zoneinfo

/// An independent reference: Python's `datetime` and `zoneinfo`.
enum Python {
  /// Runs a script and returns the content of its global `out`, an `array('q')`.
  static func numbers(_ script: String, within seconds: Double = 300) throws -> [Int64] {
    let folder = try TemporaryFolder()
    let program = try folder.write(
      "import array, sys\nout = array.array('q')\n" + script + "\nout.tofile(open(sys.argv[1], 'wb'))\n",
      to: "oracle.py")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let result = try RunningProgram.run(
      "python3", [program, folder.path("numbers")],
      environment: ["PATH": path, "PYTHONTZPATH": AllZones.database.folder], within: seconds)
    guard result.status == 0 else { throw TestFailure("python3: \(result.errors)") }
    let data = try Data(contentsOf: URL(filePath: folder.path("numbers")))
    return data.withUnsafeBytes { Array($0.bindMemory(to: Int64.self)) }
  }
}
