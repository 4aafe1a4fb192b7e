// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// The [OpenURI portal](https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.OpenURI.html),
/// which opens URLs on behalf of sandboxed programs.
struct URLPortal {
  static let name: BusName = "org.freedesktop.portal.Desktop"
  private static let path: ObjectPath = "/org/freedesktop/portal/desktop"
  private static let requests: ObjectPath = "/org/freedesktop/portal/desktop/request"
  private static let request: InterfaceName = "org.freedesktop.portal.Request"

  private static let openURI = MethodDescription(
    "OpenURI", in: ("parent_window", String.self), ("uri", String.self), ("options", [String: Value].self),
    out: ("handle", ObjectPath.self))
  private static let close = MethodDescription("Close")
  private static let response = SignalDescription(
    "Response", ("response", UInt32.self), ("results", [String: Value].self))

  let connection: Connection
  let loop: EventLoop

  func open(_ url: String, _ activationToken: String?, limit: Duration) async -> URLOpener.Ending {
    let end = EventLoop.Clock.monotonic.now + limit
    let token = "url_" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
    var options: [String: Value] = ["handle_token": .string(token)]
    if let activationToken { options["activation_token"] = .string(activationToken) }
    do throws(CallError) {
      // Subscribe before the call: the response may come at once.
      let rule = MatchRule(
        sender: Self.name, pathNamespace: Self.requests, interface: Self.request, member: Self.response.name)
      let responses = try await connection.signals(matching: rule)
      // Portals before 0.9 choose the object's name themselves; the reply contains it either way.
      let handle = try await connection.call(
        Self.openURI, of: RemoteObject(Self.name, Self.path, "org.freedesktop.portal.OpenURI"), "", url, options,
        limit: min(limit, Connection.usualLimit))
      return await response(to: handle, in: responses, until: end)
    } catch {
      // The error's text is left out: it may name the URL.
      if case .refused(let error) = error { return .failed("the portal: \(error.name)") }
      if error.failureCode == .unexpectedReply { return .failed("the portal sent an unknown answer") }
      return .failed("the portal does not answer")
    }
  }

  private func response(
    to handle: ObjectPath, in responses: SignalStream, until end: Duration
  ) async -> URLOpener.Ending {
    let loop = loop
    let ending: URLOpener.Ending? = await withTaskGroup { group in
      group.addTask { await Self.response(to: handle, in: responses) }
      group.addTask {
        try? await loop.sleep(for: end - EventLoop.Clock.monotonic.now)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if let ending { return ending }
    // Close a dialog that may still be open.
    try? await connection.post(Self.close, of: RemoteObject(Self.name, handle, Self.request, startsService: false))
    return .failed("portal timed out")
  }

  private static func response(to handle: ObjectPath, in responses: SignalStream) async -> URLOpener.Ending? {
    do throws(BusError) {
      var responses = responses.makeAsyncIterator()
      while let signal = try await responses.next() {
        guard signal.path == handle else { continue }
        switch signal.arguments(as: Self.response)?.0 {
        case 0: return .opened
        case 1: return .failed("the user refused in the portal's dialog")
        default: return .failed("the portal could not open it")
        }
      }
      return nil
    } catch {
      return .failed("the portal does not answer")
    }
  }
}
