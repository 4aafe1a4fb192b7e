// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import TestStage

/// A library for LD_PRELOAD, made from C.
package enum PreloadedLibrary {
  /// Compiles it, and returns its path.
  package static func build(_ source: String, named name: String, in folder: TemporaryFolder) throws -> String {
    let file = try folder.write(source, to: name + ".c")
    let library = folder.path(name + ".so")
    let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    let done = try RunningProgram.run(
      "cc", ["-shared", "-fPIC", "-O1", "-w", "-o", library, file, "-ldl"], environment: environment, within: 60)
    guard done.status == 0 else { throw TestFailure("cc: \(done.errors)") }
    return library
  }
}
