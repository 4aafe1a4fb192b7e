// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The environment variables of this process.
package enum EnvironmentVariable {
  /// The value of a variable; nil if it is missing or empty.
  package static func value(of name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
