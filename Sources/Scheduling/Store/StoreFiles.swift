// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The folder of the store and its files; every system call on them is here.
struct StoreFiles: Sendable {
  let folder: String
  /// A folder of this user alone that lasts as long as the session; nil if there is none.
  var session: String?

  var database: String { folder + "/suzu.db" }
  /// Commits that are not in the database yet; SQLite defines the name.
  var log: String { database + "-wal" }
  /// Locked by the process that has the store open.
  var lock: String { database + ".lock" }
  /// The number of commits; if it exists without a database, the database was lost.
  var commitCounter: String { database + ".witness" }
  /// The places for what the next commit will write about a met condition or a push (``IntentNote``, ``PushNote``). It
  /// is written in the first place that can be used; an earlier run may have used another. The session's folder comes
  /// first, because it is usually in memory, and what is noted there need not outlive the screen.
  var intents: [String] { (session.flatMap { intent(in: $0) }.map { [$0] } ?? []) + [database + ".intent"] }
  /// Space that is given back on a full disk.
  var reserve: String { database + ".ballast" }
  /// A new database under construction, which will replace a damaged or missing one.
  var rebuilt: String { database + ".rebuilt" }
  /// Contains the name of the damaged file whose rows are being recovered.
  var rescueNote: String { database + ".rescue" }
  var copyPrefix: String { "suzu.db.copy-" }
  var damagedPrefix: String { "suzu.db.damaged-" }

  func path(_ name: String) -> String { folder + "/" + name }

  /// A file of this store only: several stores may be used in one session. Nil if others could write there.
  private func intent(in session: String) -> String? {
    guard let store = try? FileStatus(folder) else { return nil }
    let place = session + "/suzu"
    _ = mkdir(place, 0o700)
    guard let status = try? FileStatus(place, followingLinks: false), status.kind == .folder,
      status.owner == geteuid(), status.permissions & 0o077 == 0
    else { return nil }
    return "\(place)/store-\(store.device)-\(store.inode).intent"
  }

  /// Creates the folder, for this user only, and its parents.
  func makeFolder() throws(StoreError) {
    var path = ""
    for part in folder.split(separator: "/") {
      path += (path.isEmpty && !folder.hasPrefix("/") ? "" : "/") + part
      if mkdir(path, 0o700) == 0 {
        try Self.sync(Folder.parent(of: path))
      } else if errno != EEXIST, errno != EROFS {
        throw StoreError("mkdir", path)
      }
    }
    let status: FileStatus
    do throws(Errno) { status = try FileStatus(folder) } catch { throw StoreError("stat", folder, error.rawValue) }
    guard status.kind == .folder else { throw StoreError("opendir", folder, ENOTDIR) }
    guard status.owner == geteuid() else {
      throw StoreError(.notPermitted, "'\(folder)' belongs to user \(status.owner)")
    }
    // Restrict a folder that others can access, because of a umask or chmod; a read-only one stays as it is.
    if status.permissions & 0o077 != 0, chmod(folder, 0o700) != 0, errno != EROFS { throw StoreError("chmod", folder) }
  }

  /// Whether the folder is writable. Found out by trying, because ext4 refuses writes after an error.
  var isWritable: Bool {
    let probe = database + ".probe"
    let descriptor = open(probe, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno != EROFS }
    close(descriptor)
    return unlink(probe) == 0
  }

  /// Makes new and renamed files survive a power failure; SQLite also ignores failures of this.
  func sync() throws(StoreError) { try Self.sync(Folder(folder)) }

  private static func sync(_ folder: Folder) throws(StoreError) {
    do throws(Errno) { try folder.sync() } catch { throw StoreError("fsync", folder.path, error.rawValue) }
  }

  /// Flags for a file that is overwritten from its beginning.
  static let makeAnew = O_WRONLY | O_CREAT | O_TRUNC

  /// Opens a file while `body` runs; a new file belongs to this user alone, whatever the umask.
  static func with<T>(
    _ path: String, _ flags: Int32, _ body: (Int32) throws(StoreError) -> T
  ) throws(StoreError) -> T {
    let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("open", path) }
    defer { close(descriptor) }
    return try body(descriptor)
  }

  /// Nil if the file does not exist.
  static func size(of path: String) -> Int64? {
    (try? FileStatus(path, followingLinks: false))?.size
  }

  static func read(_ path: String, at offset: Int64 = 0, count: Int) -> [UInt8]? {
    try? with(path, O_RDONLY) { descriptor throws(StoreError) in
      [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
        while done < count {
          let got = pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset) + done)
          if got <= 0 { break }
          done += got
        }
      }
    }
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(StoreError) {
    var done = 0
    while done < bytes.count {
      let put = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, done) }
      if put < 0, errno == EINTR { continue }
      guard put > 0 else { throw StoreError("write", path) }
      done += put
    }
  }

  static func rename(_ old: String, to new: String) throws(StoreError) {
    guard Glibc.rename(old, new) == 0 else { throw StoreError("rename", old) }
  }

  static func remove(_ path: String) throws(StoreError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw StoreError("unlink", path) }
  }

  /// Creates an empty file for this user alone, because SQLite would apply the umask.
  static func makeEmpty(_ path: String) throws(StoreError) {
    try with(path, O_WRONLY | O_CREAT) { descriptor throws(StoreError) in
      guard fchmod(descriptor, 0o600) == 0 else { throw StoreError("fchmod", path) }
    }
  }

  /// The path for a new database, cleared of the files of an interrupted attempt.
  func makeEmptyRebuilt() throws(StoreError) {
    for path in [rebuilt, rebuilt + "-journal", rebuilt + "-wal"] { try Self.remove(path) }
    try Self.makeEmpty(rebuilt)
  }

  /// Replaces the database with the new one, which is complete and closed, and syncs the folder.
  func putRebuiltInPlace() throws(StoreError) {
    try Self.sync(file: rebuilt)
    try Self.rename(rebuilt, to: database)
    try sync()
  }

  static func sync(file path: String) throws(StoreError) {
    try with(path, O_RDONLY) { descriptor throws(StoreError) in
      guard fsync(descriptor) == 0 else { throw StoreError("fsync", path) }
    }
  }

  /// Names in the folder with a prefix, oldest first: a date follows the prefix.
  func names(withPrefix prefix: String) -> [String] {
    Folder(folder).entries().map(\.name).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// The kind of file system, if it is one on which SQLite's locks and syncs are unreliable.
  var networkFileSystem: String? {
    guard let device = try? FileStatus(folder).device else { return nil }
    let number = "\((device >> 8) & 0xFFF):\((device & 0xFF) | ((device >> 12) & 0xFFF00))"
    // Its size is unknown before it is read.
    let mounts = String(decoding: Self.read("/proc/self/mountinfo", count: 1 << 18) ?? [], as: UTF8.self)
    let line = mounts.split(separator: "\n").first { $0.split(separator: " ").dropFirst(2).first == number[...] }
    // A dash ends the optional fields; the kind follows it.
    let fields = line?.split(separator: " ").drop { $0 != "-" }.dropFirst()
    guard let kind = fields?.first.map(String.init) else { return nil }
    let network = [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "9p", "fuse.sshfs", "fuse.glusterfs", "fuse.rclone",
    ]
    return network.contains(kind) ? kind : nil
  }
}
