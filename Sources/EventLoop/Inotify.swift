// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// The one owner of an inotify descriptor; what its numbers mean is its user's business.
struct Inotify: ~Copyable {
  struct Event {
    /// Which watch it is of.
    let number: Int32
    let mask: UInt32
    /// The entry of the folder; nil where it is about the folder itself.
    let name: String?
  }

  /// The watched folder was deleted or moved.
  static let ofItself = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
  /// An entry came, or may be open to us now.
  static let ofSteps = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB)
  /// Everything that makes an entry another one, but not each write to it.
  static let ofEntries = ofSteps | UInt32(IN_CLOSE_WRITE)

  private let source: Descriptor

  init() throws(EventLoopError) {
    source = try Descriptor(opening: "inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
  }

  var descriptor: Int32 { source.number }

  /// Watches a folder, or lets the watch that there is hear of more; its number, or nil where there is no such folder or
  /// the system does not allow it.
  func widen(_ path: String, to mask: UInt32) -> Int32? {
    let number = inotify_add_watch(source.number, path, mask | UInt32(IN_ONLYDIR | IN_MASK_ADD))
    return number >= 0 ? number : nil
  }

  /// Lets a watch hear of less.
  func narrow(_ number: Int32, _ path: String, to mask: UInt32) {
    let found = inotify_add_watch(source.number, path, mask | UInt32(IN_ONLYDIR))
    // Another folder is there since, which will be told.
    if found >= 0 && found != number { remove(found) }
  }

  /// The kernel may have ended the watch by itself already.
  func remove(_ number: Int32) { inotify_rm_watch(source.number, number) }

  /// Passes on what has been noted, one buffer of it: other descriptors want their turn too.
  func read(_ body: (Event) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      let count = Glibc.read(source.number, buffer.baseAddress, buffer.count)
      var rest = UnsafeRawBufferPointer(buffer)[..<max(count, 0)]
      let headerSize = MemoryLayout<inotify_event>.size
      while rest.count >= headerSize {
        let header = rest.loadUnaligned(as: inotify_event.self)
        // The name is filled up with zeros.
        let name = rest.dropFirst(headerSize).prefix(Int(header.len)).prefix { $0 != 0 }
        let text = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
        body(Event(number: header.wd, mask: header.mask, name: text))
        rest = rest.dropFirst(headerSize + Int(header.len))
      }
    }
  }
}
