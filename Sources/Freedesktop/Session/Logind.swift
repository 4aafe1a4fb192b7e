// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// [logind](https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.login1.html), or elogind.
struct Logind: Sendable {
  static let name: BusName = "org.freedesktop.login1"
  static let path: ObjectPath = "/org/freedesktop/login1"
  static let manager: InterfaceName = "org.freedesktop.login1.Manager"
  static let properties: InterfaceName = "org.freedesktop.DBus.Properties"

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
    async let own = session("GetSessionByPID", .uint32(0))
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
    _ member: MemberName, _ argument: Value
  ) async -> Result<ObjectPath?, CallError> {
    do throws(CallError) {
      let call = MethodCall(
        to: owner, Self.path, Self.manager, member, [argument], startsService: false)
      guard case .objectPath(let path)? = try await question.ask(call).first else {
        throw Self.oddAnswer(to: member)
      }
      return .success(path)
    } catch {
      return .failure(error)
    }
  }

  /// The session on the user's screen; nil if there is none.
  private func display(of user: UInt32) async -> Result<ObjectPath?, CallError> {
    do throws(CallError) {
      guard let path = try await session("GetUser", .uint32(user)).get() else { return .success(nil) }
      let value = try await property("Display", of: path, "org.freedesktop.login1.User")
      guard case .structure(let fields) = value, fields.count == 2, case .objectPath(let session) = fields[1] else {
        throw Self.oddAnswer(to: "Get")
      }
      return .success(fields[0].string == "" ? nil : session)
    } catch {
      return .failure(error)
    }
  }

  private func hint(of session: ObjectPath) async -> LockState {
    do throws(CallError) {
      let value = try await property("LockedHint", of: session, "org.freedesktop.login1.Session")
      guard let isLocked = value.boolean else { return .unknown }
      return isLocked ? .locked : .unlocked
    } catch {
      return LockState(error)
    }
  }

  private func property(
    _ property: String, of path: ObjectPath, _ interface: String
  ) async throws(CallError) -> Value {
    let call = MethodCall(
      to: owner, path, Self.properties, "Get", [.string(interface), .string(property)], startsService: false)
    guard case .variant(let value)? = try await question.ask(call).first else { throw Self.oddAnswer(to: "Get") }
    return value
  }

  private static func oddAnswer(to member: MemberName) -> CallError {
    .failed(BusError(.unexpectedReply, "logind answered '\(member)' with unexpected values"))
  }
}
