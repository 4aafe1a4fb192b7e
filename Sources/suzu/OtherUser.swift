// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc

/// Switches to another user: root has no desktop of its own, and a session bus accepts only its user.
///
/// The switch is permanent for this process.
enum OtherUser {
  /// The user that this process became; nil if it did not.
  ///
  /// One thread uses it: the main one, which reads the command line and then runs the loop with the verb.
  nonisolated(unsafe) private(set) static var name: String?

  /// Switches to the user with that name or number.
  static func become(_ name: String) throws(CommandError) {
    if let entry = try entry(of: name) { try become(entry) }
  }

  /// The user with that name or number; nil if it is this one.
  private static func entry(of name: String) throws(CommandError) -> UnsafeMutablePointer<passwd>? {
    guard let entry = getpwnam(name) ?? UInt32(name).flatMap(getpwuid) else {
      throw CommandError(message: "there is no user '\(PrintableText.line(name, atMost: 64))'", status: EX_NOUSER)
    }
    if entry.pointee.pw_uid == geteuid() { return nil }
    guard geteuid() == 0 else {
      throw CommandError(
        message: "only root can act for '\(name)'; use sudo, or run as that user", status: EX_NOPERM)
    }
    return entry
  }

  /// Under sudo, switches to the user that called sudo.
  static func becomeCaller() throws(CommandError) {
    if let entry = caller { try become(entry) }
  }

  /// The user that called sudo.
  private static var caller: UnsafeMutablePointer<passwd>? {
    guard geteuid() == 0, getenv("DBUS_SESSION_BUS_ADDRESS") == nil, access("/run/user/0/bus", F_OK) != 0,
      let caller = getenv("SUDO_UID"), let number = UInt32(String(cString: caller)), number != 0
    else { return nil }
    return getpwuid(number)
  }

  // MARK: Later

  /// The user to become once a command that runs as root has ended: its notification is for that user. The main thread
  /// uses it, like ``name``.
  nonisolated(unsafe) private static var later: String?

  /// Whether ``becomePostponed()`` switches.
  static var isPostponed: Bool { later != nil }

  /// Postpones ``become(_:)``, or ``becomeCaller()`` if there is no name.
  static func postpone(_ name: String?) throws(CommandError) {
    if let name {
      if try entry(of: name) != nil { later = name }
    } else {
      later = caller.map { String($0.pointee.pw_uid) }
    }
  }

  static func becomePostponed() throws(CommandError) {
    if let name = later.take() { try become(name) }
  }

  private static func become(_ entry: UnsafeMutablePointer<passwd>) throws(CommandError) {
    let user = entry.pointee
    let name = String(cString: user.pw_name)
    guard initgroups(user.pw_name, user.pw_gid) == 0, setgid(user.pw_gid) == 0,
      setuid(user.pw_uid) == 0
    else {
      throw CommandError(message: "cannot become '\(name)': \(String(cString: strerror(errno)))", status: EX_NOPERM)
    }
    // The center looks at its callers. Nothing has been read as root yet.
    ProcessInspection.allow()
    // Root's own values do not apply, and that user's are unknown here.
    for variable in [
      "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
    ] {
      unsetenv(variable)
    }
    self.name = name
    setenv("XDG_RUNTIME_DIR", "/run/user/\(user.pw_uid)", 1)
    setenv("HOME", String(cString: user.pw_dir), 1)
    for variable in ["USER", "LOGNAME"] { setenv(variable, name, 1) }
  }
}
