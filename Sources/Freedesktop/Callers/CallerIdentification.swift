// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop
internal import Glibc

/// Identifies callers. Nothing is cached: each query examines the process again.
///
/// If the process cannot be examined (it has ended, is inaccessible, or `/proc` hides it), the caller is unknown, which
/// is as good as sandboxed. If only a resource was short, the caller is undetermined: it has no more rights, but the
/// next query may succeed. A process that has ended is never examined by its number, which may be reused.
///
/// A Flatpak app connects through `xdg-dbus-proxy`, and the process that the bus knows is the proxy. Flatpak starts the
/// proxy in a sandbox of its own with the app's `/.flatpak-info` at its root, so the proxy is identified as the app. A
/// proxy without that file (as started by firejail) does not tell which program is behind it: unknown.
///
/// If the bus provides no descriptor of the process (dbus before 1.15.8), a program that passed its connection to a
/// child and ended can be mistaken for the process that gets its number next: that the connection still exists proves
/// less there. This does not work behind a proxy, nor for a Snap, whose label the kernel recorded at the connection.
public struct CallerIdentification: Sendable {
  private let processes: String

  /// - Parameter processes: the folder of the kernel's process files.
  public init(processes: String = "/proc") { self.processes = processes }

  /// Identifies the owner of a unique name. Other names yield an unknown caller: they may have changed owners since the
  /// call.
  public func identify(_ name: BusName, on connection: Connection) async -> CallerIdentity {
    guard name.isUnique else { return .unknown }
    let credentials: Credentials
    do throws(CallError) { credentials = try await connection.credentials(of: name) } catch {
      if case .refused = error { return .unknown }
      return .undetermined
    }
    return await identify(credentials) {
      // A unique name is never reused.
      do throws(CallError) { return try await connection.owner(of: name) == name } catch { return nil }
    }
  }

  /// Identifies the process with these credentials; `isStillThere` returns whether their connection still exists, or
  /// nil if that could not be determined.
  public func identify(
    _ credentials: Credentials, isStillThere: () async -> Bool?
  ) async -> CallerIdentity {
    guard credentials.userID == getuid() else { return .unknown }
    errno = 0
    // Checked first, because no process can change it.
    if let snap = credentials.securityLabel.flatMap({ SnapName(label: $0) }) { return snap.identity }
    if let descriptor = credentials.processFD {
      guard let process = ProcessHandle(owning: descriptor.duplicate()), let number = process.processID else {
        return Self.unread
      }
      return look(at: number, process)
    }
    guard let number = credentials.processID.flatMap({ Int32(exactly: $0) }) else { return .unknown }
    guard let process = ProcessHandle(number) else { return Self.unread }
    // The caller still existed after we had a handle of the process, so the number was not reused before that.
    guard let isThere = await isStillThere() else { return .undetermined }
    guard isThere else { return .unknown }
    errno = 0
    return look(at: number, process)
  }

  private func look(at number: Int32, _ process: borrowing ProcessHandle) -> CallerIdentity {
    // An open folder always belongs to its process: once that has ended, nothing can be read from it, even if the
    // number is reused. So it is the right one if the process lives after the folder was opened.
    guard let folder = ProcessFolder(number, in: processes) else { return Self.unread }
    guard !process.hasEnded else { return .unknown }
    return identify(folder)
  }

  /// Converts a failed read: `errno` tells whether the next query may succeed.
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
    // A root other than ours: a container, another kind of sandbox, or a process that changed its root, which would
    // also hide its /.flatpak-info. Units that systemd runs in a mount namespace have our root.
    guard folder.hasRoot(of: "self", in: processes), let program = folder.programName, program != "xdg-dbus-proxy"
    else { return .unknown }
    return .unconfined(app: units.app)
  }
}
