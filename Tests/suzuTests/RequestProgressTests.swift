// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import suzu

/// Which events about an id are about the request that is waited for.
struct RequestProgressTests {
  @Test(arguments: RequestEnd.allCases)
  func `Every end after its delivery is its own`(end: RequestEnd) {
    var progress = RequestProgress()
    #expect(progress.delivered(replacing: false) == nil)
    #expect(progress.closed(end) == end && progress.stands(end))
  }

  @Test func `An older one on the screen ends without ending the wait`() {
    var progress = RequestProgress()
    #expect(progress.closed(.dismissed) == nil)
    #expect(progress.closed(.replaced) == .replaced)
    #expect(progress.delivered(replacing: true) == nil)
    #expect(!progress.stands(.replaced))
    #expect(progress.closed(.expired) == .expired && progress.stands(.expired))
    #expect(!progress.stands(.replaced))
  }

  @Test func `A request replaced before it was shown has ended, whatever is delivered then`() {
    var alone = RequestProgress()
    #expect(alone.closed(.replaced) == .replaced && alone.stands(.replaced))
    #expect(alone.delivered(replacing: false) == .replaced)
    // The older one on the screen is replaced as well.
    var both = RequestProgress()
    _ = both.closed(.replaced)
    _ = both.closed(.replaced)
    #expect(both.delivered(replacing: true) == .replaced)
  }
}
