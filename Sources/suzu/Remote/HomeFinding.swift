// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// What `suzu doctor` says about the link to the desktop at home.
enum HomeFinding {
  static let what = "desktop at home"

  /// Tries the link; nil if there is no socket.
  static func find(on loop: EventLoop) async -> Finding? {
    guard let path = HomeSocket.path() else { return nil }
    guard let home = await HomeCall.begin(on: loop) else {
      return Finding(
        what: what, state: .degraded,
        text: "the socket '\(path)' does not answer; run 'suzu remote serve' at home")
    }
    home.end()
    return Finding(what: what, state: .good, text: "reached over SSH, as the app \(home.app)")
  }
}
