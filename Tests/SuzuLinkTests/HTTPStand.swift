// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A server of HTTP on this machine that answers what a test says, also what no real one would.
final class HTTPStand: Sendable {
  /// A request, and the connection on which it came.
  final class Request: Sendable {
    /// The first line.
    let line: String
    /// The rest of the head, in lower case.
    let headers: [String]
    /// What came with it.
    let bytes: [UInt8]
    var body: String { String(decoding: bytes, as: UTF8.self) }
    private let socket: Mutex<Int32>

    fileprivate init(_ head: String, _ bytes: [UInt8], _ socket: Int32) {
      let lines = head.split(separator: "\r\n").map(String.init)
      line = lines.first ?? ""
      headers = lines.dropFirst().map { $0.lowercased() }
      self.bytes = bytes
      self.socket = Mutex(socket)
    }

    deinit { close() }

    /// Sends as it is; returns whether the other side took it.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
      let number = socket.withLock { $0 }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count <= 0 { return false }
        rest.removeFirst(count)
      }
      return true
    }

    /// Begins a stream, as ntfy does.
    func open(_ lines: String...) {
      send("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n" + HTTPStand.open)
      for line in lines { send(line + "\n") }
    }

    /// Answers with a status and nothing else.
    func answer(_ status: Int = 200, _ headers: String...) {
      send("HTTP/1.1 \(status) Some\r\nContent-Length: 2\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n{}")
      close()
    }

    func close() {
      socket.withLock { socket in
        if socket >= 0 { Glibc.close(socket) }
        socket = -1
      }
    }

    /// Waits until the other side has closed.
    func waitForClose() -> Bool {
      let number = socket.withLock { $0 }
      var buffer = [UInt8](repeating: 0, count: 4096)
      var limit = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      while poll(&limit, 1, 20_000) > 0 {
        let count = recv(number, &buffer, buffer.count, 0)
        if count <= 0 { return true }
      }
      return false
    }
  }

  static let open = #"{"id":"open1","time":1795520765,"event":"open","topic":"tea"}"# + "\n"

  static func message(_ id: String, _ text: String = "x", _ more: String = "") -> String {
    #"{"id":"\#(id)","time":1795520766,"event":"message","topic":"tea","message":"\#(text)"\#(more)}"#
  }

  let requests = Inbox<Request>()
  private let listener: LocalListener

  /// - Parameter port: that of an earlier one, to come back.
  init(port: UInt16 = 0) throws {
    let requests = requests
    listener = try LocalListener(port: port) { Self.read($0, into: requests) }
  }

  /// Takes no more connections; a connection attempt is refused.
  func stop() { listener.stop() }

  var port: UInt16 { listener.port }
  var address: String { "http://127.0.0.1:\(port)" }

  private static func read(_ connection: Int32, into requests: Inbox<Request>) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 65_536 {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count <= 0 { break }
      bytes += buffer.prefix(count)
      guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { continue }
      let (head, body) = (String(decoding: bytes[..<end.lowerBound], as: UTF8.self), Array(bytes[end.upperBound...]))
      let length = head.lowercased().components(separatedBy: "content-length: ").dropFirst().first.flatMap {
        Int($0.prefix { $0.isNumber })
      }
      if body.count >= length ?? 0 { return requests.put(Request(head, body, connection)) }
    }
    close(connection)
  }
}
