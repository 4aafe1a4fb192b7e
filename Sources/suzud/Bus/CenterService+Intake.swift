// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// Reads the requests of one call.
extension CenterService {
  /// A call of at least this many bytes may take several turns of the loop to read.
  private static let longCall = 256 << 10
  /// How long requests are read before the rest of the loop gets a turn.
  private static let readingTime: Duration = .milliseconds(10)

  /// Stores the request of a `Notify`, and returns its id. Quotas are checked before the request is read.
  func notify(
    _ request: Unread<Properties>, _ rights: Rights, from caller: Caller,
    waiting: (caller: Caller, bus: String)? = nil
  ) async throws -> String {
    var begun = 0
    defer { requestSide.quota.end(rights, begun) }
    return try await requestSide.requests.notify(rights, from: caller, waiting: waiting, isLong: false) {
      try requestSide.quota.check(rights, 1)
      begun = 1
      return [try CenterInterface.request(try request.read(), of: rights)]
    }[0]
  }

  /// Stores the request of an `Ask`: the same, until its caller leaves the bus.
  func ask(_ request: Unread<Properties>, _ rights: Rights, from caller: Caller) async throws -> String {
    let id = try await notify(
      request, rights, from: caller, waiting: try await requestSide.askers.asker(caller))
    await requestSide.askers.began(caller)
    return id
  }

  /// Stores the request that a payload stands for, and returns its id. Quotas are checked before it is looked at.
  func push(
    _ rights: Rights, from caller: Caller,
    reading read: () throws -> (app: AppID, payload: PushPayload, options: PushOptions)
  ) async throws -> String {
    try requestSide.quota.check(rights, 1)
    defer { requestSide.quota.end(rights, 1) }
    let (app, payload, options) = try read()
    return try await requestSide.pushes.push(payload, to: app, options, rights, from: caller)
  }

  /// The requests of a `NotifyMany`, all or none.
  func notifyMany(
    _ unread: Unread<[Properties]>, _ call: IncomingCall, _ rights: Rights
  ) async throws -> [String] {
    let isLong = call.size > Self.longCall || unread.count(upTo: LongCalls.slice) > LongCalls.slice
    var begun = 0
    defer { requestSide.quota.end(rights, begun) }
    return try await requestSide.requests.notify(rights, from: Caller(call.sender), isLong: isLong) {
      try await requests(unread, in: call, of: rights) { begun = $0 }
    }
  }

  /// The requests of a `NotifyMany`; the first invalid one ends the call.
  private func requests(
    _ unread: Unread<[Properties]>, in call: IncomingCall, of rights: Rights, begin: (Int) -> Void
  ) async throws -> [NotificationRequest] {
    try rights.checkRequests(of: call)
    let elements = unread.elements()
    defer { elements.end() }
    let most = rights.mostRequests
    let count = elements.count(upTo: most)
    guard count <= most else {
      throw CenterError(.limitExceeded, "more than \(most) requests; send them in several calls")
    }
    try requestSide.quota.check(rights, count)
    begin(count)
    screenSide.trim.trim(after: count)
    return try await read(elements, "a request", atMost: CenterInterface.longestRequest) {
      (element) throws(CenterError) in
      try CenterInterface.request(element, of: rights)
    }
  }

  /// Replaces the categories of an app. Later calls of the caller wait if reading them takes several turns.
  func setCategories(
    _ unread: Unread<[Properties]>, of app: Unread<String>, _ call: IncomingCall, _ rights: Rights
  ) async throws {
    try rights.checkCategories(of: call)
    let most = rights.mostCategories
    // Counted in the message, so that millions of empty categories are refused unread.
    guard unread.count(upTo: most) <= most else {
      throw CenterError(.limitExceeded, "more than \(most) categories for one app")
    }
    // The list stays in the message until it is this call's turn.
    let app = try CenterInterface.newAppName(try app.read())
    try rights.check(app)
    try await requestSide.longCalls.run(call.size > Self.longCall, from: Caller(call.sender)) {
      let elements = unread.elements()
      defer { elements.end() }
      let categories = try await read(elements, "a category", atMost: CenterInterface.longestCategory) {
        (element) throws(CenterError) in
        let category = try CenterInterface.category(element, of: rights)
        try checkSnoozeTimes(of: category)
        return category
      }
      // What follows takes a turn of its own for thousands.
      if call.size > Self.longCall { await connection.loop.nextTurn() }
      do throws(RequestError) { try categories.checkDistinct() } catch {
        throw CenterError(.invalidRequest, error.description)
      }
      do throws(StoreError) { try await around.categories.set(categories, of: app, on: connection.loop) } catch {
        throw CenterError(error)
      }
    }
  }

  /// Refuses a time to snooze until that cannot be read.
  private func checkSnoozeTimes(of category: Category) throws(CenterError) {
    for (index, action) in category.actions.enumerated() where !action.snoozeTimes.isEmpty {
      do throws(TriggerError) { try around.agenda.scheduler.check(action, "actions[\(index)]") } catch {
        throw CenterError(error)
      }
    }
  }

  /// Reads and checks each element before the next; the first invalid one ends the call. The loop gets a turn between
  /// two slices.
  private func read<T>(
    _ elements: ArgumentElements<Properties>, _ name: String, atMost bytes: Int,
    _ convert: (Properties) throws(CenterError) -> T
  ) async throws -> [T] {
    var read: [T] = []
    var (end, sizes) = (EventLoop.Clock.monotonic.now + Self.readingTime, 0)
    while true {
      let size = elements.nextSize
      let element: Properties?
      do throws(RemoteError) { element = size <= bytes ? try elements.next() : nil } catch {
        throw CenterError(.invalidRequest, error.message).at(read.count)
      }
      do throws(CenterError) {
        guard size <= bytes else {
          throw CenterError(.limitExceeded, "\(name) of \(size) bytes; at most \(bytes) are taken")
        }
        guard let element else { return read }
        read.append(try convert(element))
      } catch {
        throw error.at(read.count)
      }
      sizes += size
      // The clock is read after 16 short elements, or after few long ones.
      guard read.count.isMultiple(of: 16) || sizes > 4096 else { continue }
      sizes = 0
      if EventLoop.Clock.monotonic.now > end {
        await connection.loop.nextTurn()
        end = EventLoop.Clock.monotonic.now + Self.readingTime
      }
    }
  }
}
