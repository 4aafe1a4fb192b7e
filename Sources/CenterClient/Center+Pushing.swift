// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
package import NotificationModel

/// What the caller says about a payload, beside the payload.
package struct PushDelivery: Sendable {
  /// The id that its sender gave it: a second one with this id is not shown.
  package var id: String?
  /// The id of the request, which replaces an earlier one.
  package var collapse: RequestID?
  /// The last second to show it, since 1970.
  package var expires: Int64?

  package init() {}
}

extension Center {
  /// Submits a payload as for Apple's push service, and returns the id of the request that it became.
  @discardableResult
  package func push(
    _ payload: PushPayload, to app: AppID, _ delivery: PushDelivery = PushDelivery()
  ) async throws(SuzuError) -> RequestID {
    var options: [String: Value] = [:]
    options["id"] = delivery.id.map { .string($0) }
    options["collapse"] = delivery.collapse.map { .string($0.text) }
    options["expires"] = delivery.expires.map { .int64($0) }
    return RequestID(
      trusted: try await call(
        CenterMethods.push, app.text, Properties(payload.words.mapValues { Value($0) }), Properties(options)))
  }
}
