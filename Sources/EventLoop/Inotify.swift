// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// Owns an inotify descriptor; its user interprets the numbers of the watches.
struct Inotify: ~Copyable {
  struct Event {
    /// The number of the watch.
    let number: Int32
    let mask: UInt32
    /// The entry of the folder; nil if the event concerns the folder itself.
    let name: String?
  }

  /// The watched folder was deleted or moved.
  static let ofItself = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
  /// An entry was created, or may have become accessible.
  static let ofSteps = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB)
  /// All changes of an entry, except single writes.
  static let ofEntries = ofSteps | UInt32(IN_CLOSE_WRITE)

  private let source: Descriptor

  init() throws(EventLoopError) {
    source = try Descriptor(opening: "inotify_init1") { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }
  }

  var descriptor: Int32 { source.number }

  /// Watches a folder, or adds events to its existing watch. Returns the number, or nil if the folder does not exist or
  /// is inaccessible.
  func widen(_ path: String, to mask: UInt32) -> Int32? {
    let number = inotify_add_watch(source.number, path, mask | UInt32(IN_ONLYDIR | IN_MASK_ADD))
    return number >= 0 ? number : nil
  }

  /// Removes events from a watch.
  func narrow(_ number: Int32, _ path: String, to mask: UInt32) {
    let found = inotify_add_watch(source.number, path, mask | UInt32(IN_ONLYDIR))
    // Another folder has replaced it, which will be reported.
    if found >= 0 && found != number { remove(found) }
  }

  /// Fails if the kernel has already ended the watch.
  func remove(_ number: Int32) { inotify_rm_watch(source.number, number) }

  /// Passes on queued events, one buffer at a time, so that other descriptors get their turn.
  func read(_ body: (Event) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      let count = Glibc.read(source.number, buffer.baseAddress, buffer.count)
      var rest = UnsafeRawBufferPointer(buffer)[..<max(count, 0)]
      let headerSize = MemoryLayout<inotify_event>.size
      while rest.count >= headerSize {
        let header = rest.loadUnaligned(as: inotify_event.self)
        // The name is padded with zeros.
        let name = rest.dropFirst(headerSize).prefix(Int(header.len)).prefix { $0 != 0 }
        let text = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
        body(Event(number: header.wd, mask: header.mask, name: text))
        rest = rest.dropFirst(headerSize + Int(header.len))
      }
    }
  }
}
