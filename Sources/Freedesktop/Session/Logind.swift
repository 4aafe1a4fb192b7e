// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// [logind](https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.login1.html), or elogind.
struct Logind: Sendable {
  static let name: BusName = "org.freedesktop.login1"
  static let path: ObjectPath = "/org/freedesktop/login1"
  static let manager: InterfaceName = "org.freedesktop.login1.Manager"
  private static let getSession = MethodDescription(
    "GetSessionByPID", in: ("pid", UInt32.self), out: ("path", ObjectPath.self))
  private static let getUser = MethodDescription("GetUser", in: ("uid", UInt32.self), out: ("path", ObjectPath.self))

  /// Queries our session and the one on the user's screen. They differ if we are a user service, which has no session,
  /// or were started from a terminal.
  static func state(of user: UInt32, _ question: LockQuestion) async -> LockState {
    do throws(CallError) {
      guard let owner = try await question.owner(of: name) else { return .absent }
      return await Logind(owner: owner, question: question).state(of: user)
    } catch {
      return LockState(error)
    }
  }

  /// The owner of the name. Only the owner is queried, so that no other program can answer in its place. The system bus
  /// lets only root own the name.
  private let owner: BusName
  private let question: LockQuestion

  private func state(of user: UInt32) async -> LockState {
    async let own = session(Self.getSession, 0)
    async let shown = display(of: user)
    var states: [LockState] = []
    var paths: Set<ObjectPath> = []
    for answer in await [own, shown] {
      switch answer {
      case .success(let path): if let path { paths.insert(path) }
      case .failure(let error): states.append(LockState(error))
      }
    }
    for path in paths { states.append(await hint(of: path)) }
    return [.locked, .unknown, .unlocked].first { states.contains($0) } ?? .absent
  }

  private func session(
    _ method: MethodDescription<UInt32, ObjectPath>, _ argument: UInt32
  ) async -> Result<ObjectPath?, CallError> {
    do throws(CallError) {
      return .success(try await question.ask(method, of: object(Self.path, Self.manager), argument))
    } catch {
      return .failure(error)
    }
  }

  private func object(_ path: ObjectPath, _ interface: InterfaceName) -> RemoteObject {
    RemoteObject(owner, path, interface, startsService: false)
  }

  /// The session on the user's screen; nil if there is none.
  private func display(of user: UInt32) async -> Result<ObjectPath?, CallError> {
    do throws(CallError) {
      guard let path = try await session(Self.getUser, user).get() else { return .success(nil) }
      let shown = try await property("Display", of: path, "org.freedesktop.login1.User", Pair<String, ObjectPath>.self)
      // Without a session, the id is empty.
      return .success(shown.first.isEmpty ? nil : shown.second)
    } catch {
      return .failure(error)
    }
  }

  private func hint(of session: ObjectPath) async -> LockState {
    do throws(CallError) {
      let isLocked = try await property("LockedHint", of: session, "org.freedesktop.login1.Session", Bool.self)
      return isLocked ? .locked : .unlocked
    } catch {
      return LockState(error)
    }
  }

  private func property<T: BusType>(
    _ property: String, of path: ObjectPath, _ interface: String, _ type: T.Type
  ) async throws(CallError) -> T {
    let value = try await question.ask(
      StandardInterfaces.get, of: object(path, StandardInterfaces.properties), interface, property)
    guard let typed = value.as(T.self) else {
      throw .failed(BusError(.unexpectedReply, "logind has a '\(property)' of type '\(value.type.code)'"))
    }
    return typed
  }
}
