// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// Where the user's Speech Dispatcher listens, as its own client library finds it.
package struct SpeechAddress: Hashable {
  /// The path of its socket.
  package let socket: String
  /// Whether the variable `SPEECHD_ADDRESS` names it: then another program has started it.
  package let isGiven: Bool

  /// Returns nil if the variable names an address that is not a socket of this machine.
  package init?(variable: (String) -> String?) {
    if let given = variable("SPEECHD_ADDRESS"), !given.isEmpty {
      let prefix = "unix_socket:"
      guard given.hasPrefix(prefix) else { return nil }
      let path = given.dropFirst(prefix.count)
      if path.hasPrefix("/") {
        self.init(socket: String(path), isGiven: true)
        return
      }
      if !path.isEmpty { return nil }
    }
    guard let folder = Self.folder(variable) else { return nil }
    self.init(socket: folder + "/speech-dispatcher/speechd.sock", isGiven: false)
  }

  /// From the environment of this process.
  init?() { self.init(variable: EnvironmentVariable.value(of:)) }

  private init(socket: String, isGiven: Bool) {
    (self.socket, self.isGiven) = (socket, isGiven)
  }

  private static func folder(_ variable: (String) -> String?) -> String? {
    for (name, rest) in [("XDG_RUNTIME_DIR", ""), ("XDG_CACHE_HOME", ""), ("HOME", "/.cache")] {
      if let folder = variable(name), folder.hasPrefix("/") { return folder + rest }
    }
    return nil
  }
}
