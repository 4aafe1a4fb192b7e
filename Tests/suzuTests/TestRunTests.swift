// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests how `make test` runs the tests, here with a program in their place.
@Suite struct TestRunTests {
  /// `swift test` once printed the last figure of a test below the start of the next one, and the page of promises showed
  /// it there.
  @Test func `What tests print and what says how they ended stay in order`() throws {
    let folder = try TemporaryFolder()
    let script = Session.checkout.appending(path: "Scripts/swift")
    try folder.write(String(contentsOf: script, encoding: .utf8), to: "Scripts/swift", executable: true)
    try folder.write(
      """
      #!/bin/sh
      echo "$@, $NO_COLOR"
      for test in 1 2 3 4 5 6 7 8 9; do echo "$test started" >&2; echo "$test: a figure"; echo "$test passed" >&2; done
      exit 3
      """, to: ".build/debug/suzuPackageTests.xctest", executable: true)
    let run = try RunningProgram.run(
      folder.path("Scripts/swift"), ["built-tests", "--filter", "A|B C"],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "TMPDIR": folder.path("")])
    let started = "--testing-library swift-testing --filter A|B C, 1\n"
    let lines = (1...9).map { "\($0) started\n\($0): a figure\n\($0) passed\n" }.joined()
    #expect(run.output == started + lines)
    #expect(run.status == 3 && run.errors.isEmpty, "\(run.errors)")
  }
}
