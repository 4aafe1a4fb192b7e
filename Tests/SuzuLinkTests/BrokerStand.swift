// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import Links

/// A server of MQTT on this machine that a test scripts, also with what no real server does.
final class BrokerStand: Sendable {
  /// A client's connection.
  final class Client: Sendable {
    /// The packets that it has sent.
    let packets = Inbox<[UInt8]>()
    private let socket: LocalSocket
    private let ended = Inbox<Int>()

    fileprivate init(_ socket: LocalSocket) { self.socket = socket }

    /// Sends raw bytes; returns false if the other side has closed the connection.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

    @discardableResult
    func publish(
      _ text: String, to topic: String = "tea", number: UInt16? = nil, isRepeated: Bool = false,
      isRetained: Bool = false, _ words: [(String, String)] = []
    ) -> Bool {
      var properties = MQTTProperties()
      properties.words = words.map { MQTTProperties.Word($0, $1) }
      return send(
        MQTTOutput.publish(
          MQTTMessage(
            topic: topic, number: number, isRepeated: isRepeated, isRetained: isRetained, properties, Array(text.utf8)))
      )
    }

    /// Answers the connection and the subscription.
    func accept(isResumed: Bool = false) async throws {
      try await greet(isResumed: isResumed)
      let request = try await packets.next()
      guard request.first == 0x82, request.suffix(4) == Array("tea".utf8) + [0x19] else {
        throw TestFailure("no subscription of the topic: \(request)")
      }
      send([0x90, 4, request[2], request[3], 0, 1])
    }

    /// Answers the connection only.
    func greet(isResumed: Bool = false) async throws {
      let request = try await packets.next()
      guard request.first == 0x10 else { throw TestFailure("no connection: \(request)") }
      send([0x20, 3, isResumed ? 1 : 0, 0, 0])
    }

    /// The next packet of a kind; others are dropped.
    func next(_ header: UInt8) async throws -> [UInt8] { try await packets.next { $0.first == header } }

    /// Waits until the other side has closed.
    func waitForClose() async throws { _ = try await ended.next(within: .seconds(20), "end of the connection") }

    func close() { socket.shutDown() }

    fileprivate func read() {
      var bytes: [UInt8] = []
      while let more = socket.receive() {
        bytes += more
        while let length = Self.length(of: bytes), length <= bytes.count {
          packets.put(Array(bytes.prefix(length)))
          bytes.removeFirst(length)
        }
      }
      socket.shutDown()
      ended.put(0)
    }

    /// The length of the first packet; nil if that is not known yet.
    private static func length(of bytes: [UInt8]) -> Int? {
      var length = 0
      for (index, byte) in bytes.dropFirst().prefix(4).enumerated() {
        length |= Int(byte & 0x7F) << (7 * index)
        if byte & 0x80 == 0 { return 2 + index + length }
      }
      return nil
    }
  }

  let clients = Inbox<Client>()
  private let listener: LocalListener

  init() throws {
    let clients = clients
    listener = try LocalListener { socket in
      let client = Client(socket)
      clients.put(client)
      client.read()
    }
  }

  var address: String { "mqtt://127.0.0.1:\(listener.port)" }

  /// The next client, with its subscription.
  func accept(isResumed: Bool = false) async throws -> Client {
    let client = try await clients.next()
    try await client.accept(isResumed: isResumed)
    return client
  }
}
