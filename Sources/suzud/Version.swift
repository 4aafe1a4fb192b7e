// SPDX-License-Identifier: Apache-2.0

/// Which Suzu this is.
enum Version {
  static let text = "0.1.0"
}
