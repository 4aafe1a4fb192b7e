// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// One screen saver: who locks the screen on some desktops.
struct ScreenSaver: Sendable {
  let name: BusName
  let interface: InterfaceName
  /// Where it may be; servers differ.
  let paths: [ObjectPath]

  /// All have the same `GetActive` and `ActiveChanged`; the desktops that are not GNOME have them under their own names.
  static let all = [
    ScreenSaver(
      name: "org.freedesktop.ScreenSaver", interface: "org.freedesktop.ScreenSaver",
      paths: ["/org/freedesktop/ScreenSaver", "/ScreenSaver"]),
    ScreenSaver(
      name: "org.gnome.ScreenSaver", interface: "org.gnome.ScreenSaver", paths: ["/org/gnome/ScreenSaver"]),
    ScreenSaver(
      name: "org.cinnamon.ScreenSaver", interface: "org.cinnamon.ScreenSaver", paths: ["/org/cinnamon/ScreenSaver"]),
    ScreenSaver(name: "org.mate.ScreenSaver", interface: "org.mate.ScreenSaver", paths: ["/org/mate/ScreenSaver"]),
    ScreenSaver(name: "org.xfce.ScreenSaver", interface: "org.xfce.ScreenSaver", paths: ["/org/xfce/ScreenSaver"]),
  ]

  /// What it says; a definite word at one of its paths is its word.
  func state(_ question: LockQuestion) async -> LockState {
    var states: [LockState] = []
    await withTaskGroup { group in
      for path in paths {
        group.addTask { await state(at: path, question) }
      }
      for await state in group { states.append(state) }
    }
    return [.locked, .unlocked, .unknown].first { states.contains($0) } ?? .absent
  }

  private func state(at path: ObjectPath, _ question: LockQuestion) async -> LockState {
    do throws(CallError) {
      let reply = try await question.ask(MethodCall(to: name, path, interface, "GetActive", startsService: false))
      guard let isActive = reply.first?.boolean else { return .unknown }
      return isActive ? .locked : .unlocked
    } catch {
      return LockState(error)
    }
  }
}
