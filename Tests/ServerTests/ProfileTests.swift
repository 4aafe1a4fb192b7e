// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests simulations of servers that cannot run here.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(10)), .enabled(if: Accessibility.isPossible))
struct ProfileTests {
  @Test(arguments: Profile.all) func `A simulated server passes all checks`(profile: Profile) async throws {
    #expect(try await Walk.failures(on: profile) == [])
  }
}

extension Profile: CustomTestStringConvertible {
  var testDescription: String { name }
}
