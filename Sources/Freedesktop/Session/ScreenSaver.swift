// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// A screen saver, which locks the screen on some desktops.
struct ScreenSaver: Sendable {
  let name: BusName
  let interface: InterfaceName
  /// Possible object paths; screen savers differ.
  let paths: [ObjectPath]

  /// All have the same `GetActive` and `ActiveChanged`; desktops other than GNOME use their own names.
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

  private static let getActive = MethodDescription("GetActive", out: ("active", Bool.self))

  /// Queries the screen saver; a definite answer at one of its paths counts.
  ///
  /// The owner of the name is looked up first and queried by its unique name, so that no other program can answer in
  /// its place. Answers of a sandboxed owner are ignored: such a program has no business with the lock, and sandboxes
  /// that let it own the name do not isolate it.
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
    // A locked state is believed before the owner is identified.
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
      let object = RemoteObject(owner, path, interface, startsService: false)
      return try await question.ask(Self.getActive, of: object) ? .locked : .unlocked
    } catch {
      return LockState(error)
    }
  }
}
