// SPDX-License-Identifier: Apache-2.0

/// Keeps a widget from reporting a change that the program has made itself.
@MainLoop final class Silence {
  private(set) var isOn = false

  func during(_ body: () -> Void) {
    isOn = true
    body()
    isOn = false
  }
}
