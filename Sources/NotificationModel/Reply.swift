// SPDX-License-Identifier: Apache-2.0

/// The text that a user types into a notification.
public enum Reply {
  /// The maximum length in bytes of UTF-8: the text is stored with the response, and passed to a program as an
  /// environment variable, which Linux limits to 128 KiB.
  public static let longest = 64 << 10
}
