// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop
internal import Links

/// What distributors call: the connector of UnifiedPush, one for all links of the program. Each link has a token, by
/// which a call is told to belong to it; calls with another token are ignored, as the specification says.
///
/// Confined to the loop's thread, which is the connection's, too.
package final class Connector {
  let connection: Connection
  private let loop: EventLoop
  private var recipients: [String: any PushRecipient] = [:]
  private var isOpen = false
  /// Why distributors cannot reach this program by its name; nil if they can.
  private(set) var problem: String?
  private var searching: Task<Void, Never>?

  /// Longer calls are refused before they are read. A message of up to this size is counted by its link.
  private static let bounds = Bounds(bytes: 65_536)

  init(on connection: Connection, _ loop: EventLoop) { (self.connection, self.loop) = (connection, loop) }

  /// Takes calls from now on, and the name, by which the bus starts the program for distributors and for the center:
  /// after the links are added, because the bus delivers what waits for the name.
  func open() async throws {
    try await connection.export(Self.second(self), at: UnifiedPushBus.connectorPath)
    try await connection.export(Self.first(self), at: UnifiedPushBus.connectorPath)
    if try await connection.requestName(LinkBus.name) != .owner {
      problem = "another program has the name \(LinkBus.name) on the bus; end it, and restart suzu-link"
    }
    isOpen = true
    restart()
  }

  /// The bus is another one: all links register again.
  func restart() { for recipient in recipients.values { recipient.begin() } }

  // MARK: Links

  func add(_ recipient: any PushRecipient, token: String) {
    recipients[token] = recipient
    if isOpen { recipient.begin() }
  }

  func remove(_ recipient: any PushRecipient, token: String) {
    if recipients[token] === recipient { recipients[token] = nil }
  }

  /// Ends the registration of a link.
  func unregister(_ token: String, of name: BusName, version: Int?) {
    connection.assumeIsolated { Distributor.unregister(token, of: name, version: version, on: $0) }
  }

  // MARK: Distributors

  /// Tells the links without a distributor when one appears on the bus. Until none of them is left, each program that
  /// joins the bus wakes this one.
  func search() {
    if searching != nil { return }
    searching = loop.start {
      let rule = MatchRule(
        sender: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        member: UnifiedPushBus.ownerChanged.name)
      if let changes = try? await self.connection.signals(matching: rule) {
        // One may have come before the bus knew the rule.
        self.tellSearchers()
        do {
          for try await change in changes {
            guard self.recipients.values.contains(where: \.isSearching) else { break }
            if let (name, _, owner) = change.arguments(as: UnifiedPushBus.ownerChanged),
              name.hasPrefix(ServerAddress.distributors), !owner.isEmpty
            {
              self.tellSearchers()
            }
          }
        } catch {}
      }
      self.searching = nil
    }
  }

  private func tellSearchers() { for recipient in recipients.values where recipient.isSearching { recipient.begin() } }

  // MARK: Calls

  private func receive(_ words: UnifiedPushBus.Words) async throws -> UnifiedPushBus.Words {
    guard let token = words["token"]?.string, case .bytes(let message)? = words["message"] else { return [:] }
    try await receive(message, token)
    // Only now it is acknowledged.
    return words["id"]?.string.map { ["id": .string($0)] } ?? [:]
  }

  private func receive(_ message: [UInt8], _ token: String) async throws {
    guard let recipient = recipients[token] else { return }
    guard await recipient.take(message) else {
      throw RemoteError(.limitsExceeded, "the message could not be stored; deliver it again")
    }
  }

  private func setEndpoint(_ endpoint: String?, _ token: String?) {
    if let endpoint, let token { recipients[token]?.take(endpoint: endpoint) }
  }

  private func endRegistration(_ token: String?) { if let token { recipients[token]?.unregistered() } }

  private static func second(_ connector: Connector) -> Interface {
    // It is used on the loop's thread only, where handlers run.
    nonisolated(unsafe) let connector = connector
    return Interface(
      UnifiedPushBus.connectors.second, bounds: bounds,
      methods: [
        Method(UnifiedPushBus.message) { _, words, _ in try await connector.receive(words) },
        Method(UnifiedPushBus.newEndpoint) { _, words, _ in
          connector.setEndpoint(words["endpoint"]?.string, words["token"]?.string)
          return [:]
        },
        Method(UnifiedPushBus.unregistered) { _, words, _ in
          connector.endRegistration(words["token"]?.string)
          return [:]
        },
      ])
  }

  private static func first(_ connector: Connector) -> Interface {
    // It is used on the loop's thread only, where handlers run.
    nonisolated(unsafe) let connector = connector
    return Interface(
      UnifiedPushBus.connectors.first, bounds: bounds,
      methods: [
        Method(UnifiedPushBus.firstMessage) { _, token, message, _, _ in try await connector.receive(message, token) },
        Method(UnifiedPushBus.firstNewEndpoint) { _, token, endpoint, _ in connector.setEndpoint(endpoint, token) },
        Method(UnifiedPushBus.firstUnregistered) { _, token, _ in connector.endRegistration(token) },
      ])
  }
}

/// A link over UnifiedPush.
///
/// Confined to the loop's thread.
protocol PushRecipient: AnyObject {
  /// Whether it waits for a distributor, of any name.
  var isSearching: Bool { get }
  /// Registers, once more if it has before.
  func begin()
  /// Takes a message; returns once the center has it on disk, or the link has left it out. False if it is not to be
  /// acknowledged.
  func take(_ message: [UInt8]) async -> Bool
  /// The address at which senders reach the link.
  func take(endpoint: String)
  /// The distributor has ended the registration.
  func unregistered()
}
