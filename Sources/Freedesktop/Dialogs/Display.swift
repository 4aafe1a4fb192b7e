// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The display on which this process and the programs that it starts open windows.
public enum Display {
  /// The names of the environment variables that a program needs to find and use it.
  public static let variables = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"]

  /// Whether the environment names one. A center that starts before the desktop may have none.
  public static var isKnown: Bool {
    ["WAYLAND_DISPLAY", "DISPLAY"].contains { EnvironmentVariable.value(of: $0) != nil }
  }
}
