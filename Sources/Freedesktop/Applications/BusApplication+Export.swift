// SPDX-License-Identifier: Apache-2.0
public import DBus

extension BusApplication {
  /// What the application does when it is called. A call is answered when its closure returns; an error that it throws
  /// becomes the answer.
  public struct Handlers: Sendable {
    /// Shows the application.
    public var activate: @Sendable (_ activationToken: String?) async throws -> Void
    /// Opens URLs.
    public var open: @Sendable (_ urls: [String], _ activationToken: String?) async throws -> Void
    /// Carries out one of the application's actions.
    public var activateAction:
      @Sendable (_ action: String, _ parameters: [Value], _ activationToken: String?, _ caller: BusName) async throws ->
        Void

    /// Creates handlers.
    public init(
      activate: @escaping @Sendable (_ activationToken: String?) async throws -> Void,
      open: @escaping @Sendable (_ urls: [String], _ activationToken: String?) async throws -> Void,
      activateAction:
        @escaping @Sendable (
          _ action: String, _ parameters: [Value], _ activationToken: String?, _ caller: BusName
        ) async throws -> Void
    ) {
      self.activate = activate
      self.open = open
      self.activateAction = activateAction
    }
  }

  /// The object of an application of ours. Export it at ``path`` before the name is requested: the call for which the
  /// bus has started the program comes at once.
  public static func interface(_ handlers: Handlers) -> Interface {
    Interface(
      interfaceName, bounds: Bounds(bytes: 1 << 20),
      methods: [
        Method(Methods.activate) { _, data, _ in try await handlers.activate(token(in: data)) },
        Method(Methods.open) { _, urls, data, _ in try await handlers.open(urls, token(in: data)) },
        Method(Methods.activateAction) { _, action, parameters, data, call in
          try await handlers.activateAction(action, parameters, token(in: data), call.sender)
        },
      ])
  }

  /// The token under its current name or its X11 name.
  private static func token(in platformData: [String: Value]) -> String? {
    platformData["activation-token"]?.string ?? platformData["desktop-startup-id"]?.string
  }
}
