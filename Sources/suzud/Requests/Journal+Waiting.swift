// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Scheduling

extension Journal {
  /// Waits until the store contains all earlier writes. Many calls in one turn of the loop cost one commit this way.
  func waitForWrites(on loop: EventLoop) async {
    await loop.withContinuation { continuation in afterWrites { continuation.resume() } }
  }
}
