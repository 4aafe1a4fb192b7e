// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
package import NotificationModel

/// The requests of another machine: every call has the rights of that machine, not those of this program.
package struct RemoteRequests: Sendable {
  private let center: Center
  package let host: RemoteHost

  package init(of host: RemoteHost, on center: Center) {
    (self.host, self.center) = (host, center)
  }

  package func notify(_ request: [String: PlainValue]) async throws(SuzuError) -> String {
    try await call(RemoteBus.notify, host.name, center.encoded(request))
  }

  /// The request is withdrawn when this program leaves the bus.
  package func ask(_ request: [String: PlainValue]) async throws(SuzuError) -> String {
    try await call(RemoteBus.ask, host.name, center.encoded(request))
  }

  package func cancel(_ ids: [String]) async throws(SuzuError) -> Int {
    Int(try await call(RemoteBus.cancel, host.name, ids))
  }

  package func dismiss(_ ids: [String]) async throws(SuzuError) -> Int {
    Int(try await call(RemoteBus.dismiss, host.name, ids))
  }

  package func pending(after cursor: ListingCursor?, limit: Int) async throws(SuzuError) -> ListedPage {
    try await list(RemoteBus.pending, cursor, limit)
  }

  package func delivered(after cursor: ListingCursor?, limit: Int) async throws(SuzuError) -> ListedPage {
    try await list(RemoteBus.delivered, cursor, limit)
  }

  /// The events of its requests from now on.
  package func events() async throws(SuzuError) -> AsyncStream<CenterEvent> {
    try await center.events { () throws(SuzuError) in try await call(RemoteBus.watch, host.name) }
  }

  private func list(
    _ method: CenterMethods.Listing, _ cursor: ListingCursor?, _ limit: Int
  ) async throws(SuzuError) -> ListedPage {
    let options = Center.options(ListingFilter(), cursor, limit)
    return Center.page(try await call(method, host.name, options))
  }

  @discardableResult
  private func call<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, _ arguments: repeat each Argument
  ) async throws(SuzuError) -> Output {
    try await center.call(method, repeat each arguments, of: RemoteBus.center)
  }
}
