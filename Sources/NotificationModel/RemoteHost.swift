// SPDX-License-Identifier: Apache-2.0

/// Another machine whose programs may notify the user here, and its app: requests from there belong to it.
package struct RemoteHost: Hashable, Sendable {
  /// The name that the user gave it.
  package let name: String

  /// The name is in the id of its app and in the name of a file; returns nil for one that cannot be.
  package init?(_ name: String) {
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isPlain, 1...64 ~= name.utf8.count, name.first != ".", name.first != "-" else { return nil }
    self.name = name
  }

  /// What a name must be, for errors.
  package static let form = "1 to 64 letters, digits, '-', '_' and '.', and begin with neither '.' nor '-'"

  private static let prefix = "dev.suzu.Remote."

  /// The app that owns its requests.
  package var app: String { Self.prefix + name }

  /// Whether an app is that of a machine: no program here handles its responses.
  package static func owns(_ app: String) -> Bool { app.utf8.starts(with: prefix.utf8) }
}
