// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import SystemFiles

/// What has happened to a session since the state of its link was last written: a file with a line for each change.
///
/// An id must survive the death of the program before the center gets a message, and a sync takes longer than all the
/// rest. So this file is only appended to, and not synced: if the machine dies, what was on the screen is gone as well,
/// and may come again.
package final class MQTTSessionLog {
  private let path: String
  private var file: Descriptor?
  /// Whether the file has nothing; an earlier program may have left changes.
  private var isEmpty = false
  /// Whether the session's name stands in the file.
  private var isMarked = false
  /// What is not in the file yet.
  private var lines = ""
  /// The bytes in the file and those that are not there yet.
  private var size = 0

  /// A line with this and the name of a session stands before the changes of that session.
  private static let mark = "= "

  /// In bytes, without the marks.
  private static let longest = LinkState.longestFile - 1024

  package init(_ path: String) { self.path = path }

  /// Adds a change; it reaches the file with the next ``keep(of:)``.
  package func add(_ change: MQTTSession.Change) {
    let line = change.line + "\n"
    size += line.utf8.count
    // With one change left out, none is written. While the disk is full, memory must not take its place.
    if size <= Self.longest { lines += line } else { lines = "" }
  }

  /// Writes what was added; fails if the state must be written instead.
  package func keep(of session: MQTTSession) throws(Errno) {
    guard size <= Self.longest else { throw Errno(rawValue: EFBIG) }
    if file == nil { file = try Descriptor(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600) }
    try file?.write(((isMarked ? "" : Self.mark + session.client + "\n") + lines).utf8)
    (isEmpty, isMarked) = (false, true)
    lines = ""
  }

  /// The state of the link is on the disk, and has everything that was added.
  package func clear() {
    (lines, size) = ("", 0)
    guard !isEmpty, truncate(path, 0) == 0 || errno == ENOENT else { return }
    (isEmpty, isMarked) = (true, false)
  }

  /// The changes of a session that a program has left, in their order.
  static func changes(in path: String, of session: MQTTSession) -> [MQTTSession.Change] {
    guard let bytes = try? RegularFile.read(path, limit: LinkState.longestFile),
      // Behind the last line's end is what a full disk has left of another.
      let end = bytes.lastIndex(of: UInt8(ascii: "\n")), let text = String(validating: bytes[..<end], as: UTF8.self)
    else { return [] }
    var isOurs = false
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix(mark) { isOurs = line.dropFirst(mark.count) == session.client }
      return isOurs ? MQTTSession.Change(line: line) : nil
    }
  }
}

extension MQTTSession {
  /// A step of a session.
  package enum Change: Hashable, Sendable {
    case began(UInt16, Flight)
    case ended(UInt16, Flight)
    /// The server has forgotten all earlier messages.
    case restarted
    case noted(topic: MQTTDigest, content: MQTTDigest?)

    var line: String {
      switch self {
      case .began(let number, let flight): "+ \(number) \(flight.count) \(flight.digest.text)"
      case .ended(let number, let flight): "- \(number) \(flight.count) \(flight.digest.text)"
      case .restarted: "0"
      case .noted(let topic, let content?): "! \(topic.text) \(content.text)"
      case .noted(let topic, nil): "! \(topic.text)"
      }
    }

    init?(line: Substring) {
      let words = line.split(separator: " ")
      switch (words.first, words.count) {
      case ("+", 4), ("-", 4):
        guard let number = UInt16(words[1]), let count = Int64(words[2]), let digest = MQTTDigest(String(words[3]))
        else { return nil }
        let flight = Flight(count: count, digest: digest)
        self = words[0] == "+" ? .began(number, flight) : .ended(number, flight)
      case ("0", 1): self = .restarted
      case ("!", 2...3):
        guard let topic = MQTTDigest(String(words[1])) else { return nil }
        let content = words.count == 3 ? MQTTDigest(String(words[2])) : nil
        if words.count == 3, content == nil { return nil }
        self = .noted(topic: topic, content: content)
      default: return nil
      }
    }
  }

  /// The session with which a program goes on.
  ///
  /// - Parameters:
  ///   - state: that of the state of the link, which is synced within a moment.
  ///   - path: the file of its ``MQTTSessionLog``; it may be missing or damaged.
  package static func resumed(_ state: MQTTSession, keptIn path: String) -> MQTTSession {
    var session = state
    for change in MQTTSessionLog.changes(in: path, of: state) { session.apply(change) }
    // Written after all of them, the state knows what has ended since.
    if session.count <= state.count { session = state }
    session.skipUnwritten()
    return session
  }
}
