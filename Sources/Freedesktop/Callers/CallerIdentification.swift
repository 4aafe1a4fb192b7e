// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop
internal import Glibc

/// Finds out who a caller is. Nothing is kept: a process is looked at each time.
///
/// Whatever cannot be read (the process is gone, is not ours to look at, `/proc` hides it) makes the caller unknown,
/// which is as good as sandboxed.
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
    guard name.isUnique, let credentials = try? await connection.credentials(of: name) else { return .unknown }
    return await identify(credentials) {
      // A unique name is never given twice.
      (try? await connection.owner(of: name)) == name
    }
  }

  /// Who has these credentials; `isStillThere` says whether the connection that they are of exists yet.
  public func identify(
    _ credentials: Credentials, isStillThere: () async -> Bool
  ) async -> CallerIdentity {
    guard credentials.userID == getuid() else { return .unknown }
    // First, since no process can change it.
    if let snap = credentials.securityLabel.flatMap({ SnapName(label: $0) }) { return snap.identity }
    if let descriptor = credentials.processFD {
      guard let process = ProcessHandle(owning: descriptor.duplicate()), let number = process.processID else {
        return .unknown
      }
      return look(at: number, process)
    }
    guard let number = credentials.processID.flatMap({ Int32(exactly: $0) }), let process = ProcessHandle(number) else {
      return .unknown
    }
    // The caller was there after we held the process, so it was nobody else's by then.
    guard await isStillThere() else { return .unknown }
    return look(at: number, process)
  }

  private func look(at number: Int32, _ process: borrowing ProcessHandle) -> CallerIdentity {
    // An open folder stays that of its process: once that has ended, there is nothing to be read in it, whoever has the
    // number. So it is the right one if the process lives after the folder was opened.
    guard let folder = ProcessFolder(number, in: processes), !process.hasEnded else { return .unknown }
    return identify(folder)
  }

  private func identify(_ folder: borrowing ProcessFolder) -> CallerIdentity {
    switch folder.flatpakInfo() {
    case .bytes(let bytes): return .sandboxed(app: FlatpakInfo(bytes)?.app, by: .flatpak)
    case .notAFile: return .sandboxed(app: nil, by: .flatpak)
    case .unreadable: return .unknown
    case .missing: break
    }
    guard case .bytes(let bytes) = folder.read("cgroup"), let groups = String(validating: bytes, as: UTF8.self) else {
      return .unknown
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
