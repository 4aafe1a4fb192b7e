// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The users that a failure of a system service concerns: those who may read the journal, where its last line is from.
enum JournalReaders {
  /// The groups that may: systemd's own two, and those of administrators.
  private static let groups: Set<String> = ["systemd-journal", "adm", "wheel", "sudo", "admin"]

  /// The names of those with a session bus.
  static func withSession(in folder: String = "/run/user") -> [String] {
    Folder(folder).entries(atMost: 10_000).compactMap { entry in
      guard let number = UInt32(entry.name), access("\(folder)/\(number)/bus", F_OK) == 0,
        let user = getpwuid(number)
      else { return nil }
      let name = String(cString: user.pointee.pw_name)
      return mayRead(name, user.pointee.pw_gid) ? name : nil
    }.sorted()
  }

  private static func mayRead(_ name: String, _ group: gid_t) -> Bool {
    var count: Int32 = 256
    var numbers = [gid_t](repeating: 0, count: Int(count))
    if getgrouplist(name, group, &numbers, &count) < 0 {
      numbers = [gid_t](repeating: 0, count: Int(count))
      guard getgrouplist(name, group, &numbers, &count) >= 0 else { return false }
    }
    return numbers.prefix(Int(count)).contains { number in
      getgrgid(number).map { groups.contains(String(cString: $0.pointee.gr_name)) } ?? false
    }
  }
}
