// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import NotificationModel
import Testing

/// Tests that intake and click refuse the same URLs.
@Suite struct URLSchemeTests {
  @Test func `A scheme that no setting can allow is refused at intake, except for files`() {
    // A `file:` URL may be opened, by its own rules.
    #expect(neverOpenedSchemes == URLPolicy.forbiddenSchemes.subtracting(["file"]))
  }
}
