// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

extension BusAddress {
  /// The address of the session bus, even if the environment does not name it (cron, a system service, SSH):
  /// `DBUS_SESSION_BUS_ADDRESS`, else the socket in `XDG_RUNTIME_DIR`, else this user's in `/run/user`, else the
  /// address that `dbus-launch` stored in the user's home.
  public static func session() throws(BusError) -> BusAddress {
    if let address = EnvironmentVariable.value(of: "DBUS_SESSION_BUS_ADDRESS") { return try BusAddress(address) }
    for folder in [EnvironmentVariable.value(of: "XDG_RUNTIME_DIR"), "/run/user/\(getuid())"] {
      if let folder, access(folder + "/bus", F_OK) == 0 {
        return try BusAddress("unix:path=" + PercentCoding.encoded(folder + "/bus", keeping: "/"))
      }
    }
    if let noted = launched() { return try BusAddress(noted) }
    throw BusError(
      .noBus,
      "no session bus: DBUS_SESSION_BUS_ADDRESS is not set and there is no /run/user/\(getuid())/bus; "
        + "log in to a desktop, or run the command under 'dbus-run-session'")
  }

  /// The address of the newest running bus that `dbus-launch` started for one of this user's screens.
  private static func launched() -> String? {
    guard let home = EnvironmentVariable.value(of: "HOME"), home.hasPrefix("/") else { return nil }
    let folder = home + "/.dbus/session-bus"
    var newest: (seconds: Int64, address: String)?
    for entry in Folder(folder).entries() {
      let path = folder + "/" + entry.name
      guard let status = try? FileStatus(path), status.kind == .regular, status.owner == getuid(),
        status.seconds > newest?.seconds ?? 0, let address = note(in: path)
      else { continue }
      newest = (status.seconds, address)
    }
    return newest?.address
  }

  /// Parses such a file of shell lines; returns nil if its bus has ended.
  private static func note(in path: String) -> String? {
    guard let bytes = try? RegularFile.read(path, limit: 64 << 10) else { return nil }
    var words: [Substring: String] = [:]
    for text in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !text.hasPrefix("#") {
      guard let equals = text.firstIndex(of: "=") else { continue }
      words[text[..<equals]] = text[text.index(after: equals)...].filter { $0 != "'" }
    }
    guard let process = words["DBUS_SESSION_BUS_PID"].flatMap({ Int32($0) }), process > 0, kill(process, 0) == 0 else {
      return nil
    }
    return words["DBUS_SESSION_BUS_ADDRESS"]
  }
}
