// SPDX-License-Identifier: Apache-2.0

/// What the center reads from its callers and from servers.
enum CenterSurfaces {
  static let all = [
    Surface("call", BusSurfaces.call),
    Surface("push", BusSurfaces.push),
    Surface("signal", SignalSurface.read),
    Surface("markup", text: MarkupSurface.read),
  ]
}
