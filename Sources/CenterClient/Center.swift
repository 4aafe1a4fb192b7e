// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import EventLoop
public import NotificationModel

/// A client of the notification center.
///
///     let center = try await Center.connect()
///     let id = try await center.notify(NotificationRequest(title: "Tea is ready"))
///
/// The bus starts the center on the first call.
public final class Center: Sendable {
  package let connection: CenterConnection
  /// What a library keeps for this center, such as the responses of an app.
  package let companions = Companions()

  private init(_ connection: CenterConnection) {
    self.connection = connection
  }

  /// Connects to the session bus, on `loop` or else on a thread of its own.
  ///
  /// If the bus is lost, the center connects again as soon as possible; calls fail until then.
  public static func connect(on loop: EventLoop? = nil) async throws(SuzuError) -> Center {
    try await connect(toBus: nil, on: loop)
  }

  /// Connects to another bus; for tests.
  package static func connect(toBus address: String?, on loop: EventLoop? = nil) async throws(SuzuError) -> Center {
    let connection = try CenterConnection(on: loop)
    do {
      try await connection.open(try address.map { try BusAddress($0) } ?? BusAddress.session())
      return Center(connection)
    } catch {
      await connection.close()
      switch error {
      case let error as CallError: throw SuzuError(error)
      case let error as BusError: throw SuzuError(error)
      default: throw SuzuError(.unavailable, "\(error)")
      }
    }
  }

  /// Closes the connection: pending calls fail, event streams end, and so does the connection's own thread.
  public func close() async { await connection.close() }

  // MARK: Requests

  /// Submits a request and returns its id.
  @discardableResult
  public func notify(_ request: NotificationRequest) async throws(SuzuError) -> RequestID {
    try await notify(encoded(request))
  }

  /// Submits a request as a dictionary, which the center checks.
  @discardableResult
  public func notify(_ request: [String: PlainValue]) async throws(SuzuError) -> RequestID {
    try await notify(properties(of: request))
  }

  private func notify(_ request: Properties) async throws(SuzuError) -> RequestID {
    RequestID(trusted: try await call(CenterMethods.notify, request))
  }

  /// Submits a request whose answer this program waits for: it is withdrawn when the program leaves the bus.
  @discardableResult
  public func ask(_ request: [String: PlainValue]) async throws(SuzuError) -> RequestID {
    RequestID(trusted: try await call(CenterMethods.ask, properties(of: request)))
  }

  /// Submits several requests, all or none, and returns their ids in the same order.
  @discardableResult
  public func notify(_ requests: [NotificationRequest]) async throws(SuzuError) -> [RequestID] {
    try await notify(encoded(requests))
  }

  /// Submits requests as dictionaries, which the center checks.
  @discardableResult
  public func notify(_ requests: [[String: PlainValue]]) async throws(SuzuError) -> [RequestID] {
    try await notify(encoded(requests))
  }

  private func notify(_ requests: [Properties]) async throws(SuzuError) -> [RequestID] {
    if requests.isEmpty { return [] }
    // There may be a hundred thousand. After a timeout the caller cannot know whether they were accepted.
    let ids = try await call(CenterMethods.notifyMany, requests, limit: .seconds(600))
    guard ids.count == requests.count else {
      throw SuzuError(.unavailable, "the center answered 'NotifyMany' without an id for each request")
    }
    return ids.map(RequestID.init(trusted:))
  }

  private func encoded(_ requests: [some Encodable]) throws(SuzuError) -> [Properties] {
    var values: [Properties] = []
    values.reserveCapacity(requests.count)
    for (index, request) in requests.enumerated() {
      do throws(SuzuError) { values.append(try encoded(request)) } catch {
        throw SuzuError(error.code, "[\(index)]: \(error.message)")
      }
    }
    return values
  }

  /// Without `Codable`, unless there are values in values: a short program would look up the types of its containers
  /// for a single call.
  private func properties(of request: [String: PlainValue]) throws(SuzuError) -> Properties {
    var properties = [String: Value](minimumCapacity: request.count)
    for (key, word) in request {
      switch word {
      case .text, .flag, .integer, .number: properties[key] = Value(word)
      case .list, .dictionary: return try encoded(request)
      }
    }
    return Properties(properties)
  }

  func encoded(_ request: some Encodable) throws(SuzuError) -> Properties {
    do throws(EncodingError) { return try Properties(encoding: request) } catch {
      throw SuzuError(.invalidRequest, error.summary)
    }
  }

  /// Cancels requests that are not shown yet; without ids, all of the app's. Returns how many there were.
  @discardableResult
  public func cancel(app: String, ids: [String] = []) async throws(SuzuError) -> Int {
    Int(try await call(CenterMethods.cancel, app, ids))
  }

  /// Closes shown notifications; without ids, all of the app's. Returns how many there were.
  @discardableResult
  public func dismiss(app: String, ids: [String] = []) async throws(SuzuError) -> Int {
    Int(try await call(CenterMethods.dismiss, app, ids))
  }

  /// Ends notifications that the user has acknowledged elsewhere, on the screen or shown again; without ids, all of the
  /// app's. Returns of how many requests.
  @discardableResult
  public func acknowledge(app: String, ids: [String] = []) async throws(SuzuError) -> Int {
    Int(try await call(CenterMethods.acknowledge, app, ids))
  }

  /// Acts as if the user had pressed a button.
  public func respond(
    app: String, id: String, action: String, reply: String? = nil
  ) async throws(SuzuError) {
    try await call(CenterMethods.respond, app, id, action, reply.map { ["reply": .string($0)] } ?? [:])
  }

  @discardableResult
  func call<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, _ arguments: repeat each Argument,
    of object: RemoteObject = CenterBus.center, limit: Duration = Connection.usualLimit
  ) async throws(SuzuError) -> Output {
    try await connection.use { connection throws(CallError) in
      try await connection.call(method, of: object, repeat each arguments, limit: limit)
    }
  }
}
