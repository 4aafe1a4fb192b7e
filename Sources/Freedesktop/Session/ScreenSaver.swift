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
  ///
  /// The owner of the name is found out first, and it alone is asked, by its unique name: no other program can answer in
  /// its place. The word of a sandboxed owner is no word: such a program has no business with the lock, and sandboxes
  /// that let it take the name do not keep it apart.
  func state(_ question: LockQuestion) async -> LockState {
    let owner: BusName
    do throws(CallError) {
      guard let found = try await question.owner(of: name) else { return .absent }
      owner = found
    } catch {
      return LockState(error)
    }
    async let identity = CallerIdentification().identify(owner, on: question.connection)
    let state = await state(of: owner, question)
    switch await identity {
    case .unconfined: return state
    // What says locked is believed before it is known who says it.
    case .sandboxed(_, .undetermined): return state == .unlocked ? .unknown : state
    case .sandboxed: return .absent
    }
  }

  private func state(of owner: BusName, _ question: LockQuestion) async -> LockState {
    var states: [LockState] = []
    await withTaskGroup { group in
      for path in paths {
        group.addTask { await state(of: owner, at: path, question) }
      }
      for await state in group { states.append(state) }
    }
    return [.locked, .unlocked, .unknown].first { states.contains($0) } ?? .absent
  }

  private func state(of owner: BusName, at path: ObjectPath, _ question: LockQuestion) async -> LockState {
    do throws(CallError) {
      let reply = try await question.ask(MethodCall(to: owner, path, interface, "GetActive", startsService: false))
      guard let isActive = reply.first?.boolean else { return .unknown }
      return isActive ? .locked : .unlocked
    } catch {
      return LockState(error)
    }
  }
}
