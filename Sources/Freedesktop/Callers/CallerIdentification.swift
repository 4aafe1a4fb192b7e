// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop
internal import Glibc

/// Finds out who a caller is. Nothing is kept: a process is looked at each time.
///
/// Whatever cannot be read (the process is gone, is not ours to look at, `/proc` hides it) makes the caller unknown,
/// which is as good as sandboxed. Where it cannot be read because something is short, the caller is undetermined: it has
/// no more rights, but the same question may have another answer later. A process that is gone is none of these: its
/// number may be another's by then.
///
/// A Flatpak app talks through `xdg-dbus-proxy`, and the process that the bus knows is the proxy. Flatpak starts that one
/// in a sandbox of its own, which has the app's `/.flatpak-info` at its root, so that it is told as the app would be. A
/// proxy without one (firejail starts it so) says nothing about who is behind it: unknown.
///
/// Where the bus gives no descriptor of the process (dbus before 1.15.8), a program that made its connection, handed it
/// to a child and ended can be mistaken for whoever is given its number next: that the connection still exists proves
/// less there. Behind a proxy, and for a Snap, whose label the kernel noted at the connection, it is of no use.
public struct CallerIdentification: Sendable {
  private let processes: String

  /// - Parameter processes: where the kernel shows processes.
  public init(processes: String = "/proc") { self.processes = processes }

  /// Who has that unique name. Any other name is nobody: it may have changed hands since it called.
  public func identify(_ name: BusName, on connection: Connection) async -> CallerIdentity {
    guard name.isUnique else { return .unknown }
    let credentials: Credentials
    do throws(CallError) { credentials = try await connection.credentials(of: name) } catch {
      if case .refused = error { return .unknown }
      return .undetermined
    }
    return await identify(credentials) {
      // A unique name is never given twice.
      do throws(CallError) { return try await connection.owner(of: name) == name } catch { return nil }
    }
  }

  /// Who has these credentials; `isStillThere` says whether the connection that they are of exists yet; nil: it
  /// could not be asked.
  public func identify(
    _ credentials: Credentials, isStillThere: () async -> Bool?
  ) async -> CallerIdentity {
    guard credentials.userID == getuid() else { return .unknown }
    errno = 0
    // First, since no process can change it.
    if let snap = credentials.securityLabel.flatMap({ SnapName(label: $0) }) { return snap.identity }
    if let descriptor = credentials.processFD {
      guard let process = ProcessHandle(owning: descriptor.duplicate()), let number = process.processID else {
        return Self.unread
      }
      return look(at: number, process)
    }
    guard let number = credentials.processID.flatMap({ Int32(exactly: $0) }) else { return .unknown }
    guard let process = ProcessHandle(number) else { return Self.unread }
    // The caller was there after we held the process, so it was nobody else's by then.
    guard let isThere = await isStillThere() else { return .undetermined }
    guard isThere else { return .unknown }
    errno = 0
    return look(at: number, process)
  }

  private func look(at number: Int32, _ process: borrowing ProcessHandle) -> CallerIdentity {
    // An open folder stays that of its process: once that has ended, there is nothing to be read in it, whoever has the
    // number. So it is the right one if the process lives after the folder was opened.
    guard let folder = ProcessFolder(number, in: processes) else { return Self.unread }
    guard !process.hasEnded else { return .unknown }
    return identify(folder)
  }

  /// Something could not be read: `errno` says whether that may be otherwise the next time.
  private static var unread: CallerIdentity {
    [EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN].contains(errno) ? .undetermined : .unknown
  }

  private func identify(_ folder: borrowing ProcessFolder) -> CallerIdentity {
    switch folder.flatpakInfo() {
    case .bytes(let bytes): return .sandboxed(app: FlatpakInfo(bytes)?.app, by: .flatpak)
    case .notAFile: return .sandboxed(app: nil, by: .flatpak)
    case .unreadable: return Self.unread
    case .missing: break
    }
    guard case .bytes(let bytes) = folder.read("cgroup"), let groups = String(validating: bytes, as: UTF8.self) else {
      return Self.unread
    }
    let units = ControlGroups(groups)
    if let snap = units.snap { return snap.identity }
    // Another root than ours: a container, or a sandbox of another make, or one that has changed its root, which would
    // also hide its /.flatpak-info. Units that systemd keeps in a mount namespace have our root.
    guard folder.hasRoot(of: "self", in: processes), let program = folder.programName, program != "xdg-dbus-proxy"
    else { return .unknown }
    return .unconfined(app: units.app)
  }
}
