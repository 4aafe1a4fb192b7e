// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Servers that cannot run here, played from what is known of them.
@Suite(.serialized, .onOwnThread, .timeLimit(.minutes(10)), .enabled(if: Accessibility.isPossible))
struct ProfileTests {
  @Test(arguments: Profile.all) func `A server that is only told of`(profile: Profile) async throws {
    try await Walk.through(profile)
  }
}

extension Profile: CustomTestStringConvertible {
  var testDescription: String { name }
}
