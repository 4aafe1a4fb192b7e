// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests which libraries the programs load: Foundation, which these libraries hand on, would double the time in which
/// `suzu` and `suzud` start.
@Suite struct LoadedLibraryTests {
  /// The libraries of Foundation that a program loads when it starts.
  private static func foundation(of program: String) throws -> Set<String> {
    let listed = try RunningProgram.run(
      "ldd", [Session.programs + "/" + program], environment: ProcessInfo.processInfo.environment)
    try #require(listed.status == 0 && listed.output.contains("libc.so"), "\(listed.errors)")
    return Set(listed.output.matches(of: /lib_?Foundation\w*/).map { String($0.output) })
  }

  @Test func `The command and the center load no Foundation, and an app with Apple's names does`() throws {
    for program in ["suzu", "suzud"] {
      #expect(try Self.foundation(of: program) == [], "\(program)")
    }
    #expect(try Self.foundation(of: "old-app").contains("libFoundation"))
  }
}
