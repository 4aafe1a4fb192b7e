// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension BusAddress {
  /// The address of the session bus, even if the environment does not name it (cron, a system service, SSH):
  /// `DBUS_SESSION_BUS_ADDRESS`, else the socket in `XDG_RUNTIME_DIR`, else this user's in `/run/user`, else the
  /// address that `dbus-launch` stored in the user's home.
  public static func session() throws(BusError) -> BusAddress {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return try BusAddress(address) }
    for folder in [environment("XDG_RUNTIME_DIR"), "/run/user/\(getuid())"] {
      if let folder, access(folder + "/bus", F_OK) == 0 {
        return try BusAddress("unix:path=" + escaped(folder + "/bus"))
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
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    let folder = home + "/.dbus/session-bus"
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var newest: (date: time_t, address: String)?
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid(),
        status.st_mtim.tv_sec > newest?.date ?? 0, let address = note(in: folder + "/" + name)
      else { continue }
      newest = (status.st_mtim.tv_sec, address)
    }
    return newest?.address
  }

  /// Parses such a file of shell lines; returns nil if its bus has ended.
  private static func note(in path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var words: [Substring: String] = [:]
    var line = [CChar](repeating: 0, count: 1024)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard !text.hasPrefix("#"), let equals = text.firstIndex(of: "=") else { continue }
      words[text[..<equals]] = text[text.index(after: equals)...].filter { $0 != "'" }
    }
    guard let process = words["DBUS_SESSION_BUS_PID"].flatMap({ Int32($0) }), process > 0, kill(process, 0) == 0 else {
      return nil
    }
    return words["DBUS_SESSION_BUS_ADDRESS"]
  }
}
