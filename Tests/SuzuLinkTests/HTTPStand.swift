// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A server of HTTP on this machine that a test scripts, also with what no real server does.
final class HTTPStand: Sendable {
  /// A request, and the connection on which it came: open until ``answer(_:_:)``, ``close()`` or the end of the stand.
  final class Request: Sendable {
    /// The first line.
    let line: String
    /// The rest of the head, in lower case.
    let headers: [String]
    /// What came with it.
    let bytes: [UInt8]
    var body: String { String(decoding: bytes, as: UTF8.self) }
    private let socket: LocalSocket

    fileprivate init(_ head: String, _ bytes: [UInt8], _ socket: LocalSocket) {
      let lines = head.split(separator: "\r\n").map(String.init)
      line = lines.first ?? ""
      headers = lines.dropFirst().map { $0.lowercased() }
      self.bytes = bytes
      self.socket = socket
    }

    /// Sends raw bytes; returns false if the other side has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

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

    func close() { socket.shutDown() }

    /// Waits until the other side has closed; returns false if it has not within 20 seconds.
    func waitForClose() -> Bool {
      while socket.canReceive(within: 20) {
        if socket.receive() == nil { return true }
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

  private static func read(_ socket: LocalSocket, into requests: Inbox<Request>) {
    var bytes: [UInt8] = []
    while bytes.count < 65_536, let more = socket.receive() {
      bytes += more
      guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { continue }
      let (head, body) = (String(decoding: bytes[..<end.lowerBound], as: UTF8.self), Array(bytes[end.upperBound...]))
      let length = head.lowercased().components(separatedBy: "content-length: ").dropFirst().first.flatMap {
        Int($0.prefix { $0.isNumber })
      }
      if body.count >= length ?? 0 { return requests.put(Request(head, body, socket)) }
    }
    socket.shutDown()
  }
}
