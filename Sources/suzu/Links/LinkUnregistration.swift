// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Links

/// Ends the registration of a link at its distributor of UnifiedPush, if no `suzu-link` runs that does it.
struct LinkUnregistration {
  private let distributor: BusName
  private let token: String

  private static let words = MethodDescription(
    "Unregister", in: ("args", [String: Value].self), out: ("res", [String: Value].self))
  private static let word = MethodDescription("Unregister", in: ("token", String.self))
  private static let limit: Duration = .seconds(5)

  /// Nil if the link has no registration.
  init?(of name: LinkName, in folders: LinkFolders) {
    guard case .keys(let place)? = (try? folders.definition(of: name))?.secret,
      let text = LinkState.read(folders.state(of: name))?.distributor, let distributor = BusName(text),
      let keys = try? PushKeys(place.read(in: folders.settings))
    else { return nil }
    (self.distributor, token) = (distributor, keys.token)
  }

  /// Without a bus, or a distributor that answers, nothing is left to do: messages for the link are ignored.
  func send(on loop: EventLoop) async {
    guard let address = try? BusAddress.session(),
      let connection = try? await Connection.open(address, on: loop)
    else { return }
    func object(_ interface: InterfaceName) -> RemoteObject {
      RemoteObject(distributor, "/org/unifiedpush/Distributor", interface)
    }
    do {
      try await connection.call(
        Self.words, of: object("org.unifiedpush.Distributor2"), ["token": .string(token)], limit: Self.limit)
    } catch {
      // One that speaks version 1 only.
      try? await connection.call(
        Self.word, of: object("org.unifiedpush.Distributor1"), token, limit: Self.limit)
    }
    await connection.close()
  }
}
