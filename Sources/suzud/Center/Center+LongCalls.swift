// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Calls that take several turns of the loop keep their place in the order of their app's calls: what an app asks for
/// after them waits until they are done. Calls for other apps do not wait.
extension Center {
  /// Waits until no long call for these apps is under way.
  func waitForLongCalls(of apps: @autoclosure () -> Set<String>) async {
    // Nearly always: nothing is computed then.
    if longCalls.isEmpty { return }
    let apps = apps()
    while let busy = apps.first(where: { longCalls[$0] != nil }) {
      await loop.withContinuation { continuation in longCalls[busy]?.append { continuation.resume() } }
    }
  }

  /// The same for a long call, which others wait for from now on; ``endLongCall(of:)`` must follow.
  func beginLongCall(of apps: Set<String>) async {
    await waitForLongCalls(of: apps)
    for app in apps { longCalls[app] = [] }
  }

  /// Lets those go on that wait, in the order in which they came.
  func endLongCall(of apps: Set<String>) {
    let waiting = apps.compactMap { longCalls.removeValue(forKey: $0) }
    for resume in waiting.joined() { resume() }
  }
}
