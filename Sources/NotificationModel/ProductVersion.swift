// SPDX-License-Identifier: Apache-2.0

/// The version of Suzu: both programs print it, the bus property `Version` returns it, and the Debian package is named
/// after it. This is the only place to change for a release.
package enum ProductVersion {
  /// As semver.org defines it.
  package static let text = "0.1.0"
}
