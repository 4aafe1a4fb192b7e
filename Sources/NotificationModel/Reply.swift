// SPDX-License-Identifier: Apache-2.0

/// What a user writes into a notification that asks for text.
public enum Reply {
  /// The most bytes of UTF-8: it is kept with the response, and handed to a program as a variable of its environment,
  /// which Linux lets have 128 KiB.
  public static let longest = 64 << 10
}
