// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func muteMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.mute) { _, app, id, until, call in
        try await center.rights(of: Caller(call.sender)).checkAll("muting")
        let (app, id) = try key(app, id)
        guard (0...latestEnd).contains(until) else {
          throw CenterError(.invalidRequest, "'until' must be in seconds since 1970, or 0 to end the mute")
        }
        if until == 0 {
          try await center.unmute(id, of: app)
        } else {
          try await center.mute(Mute(id, of: app, until: until))
        }
      },
      Method(CenterMethods.mutes) { _, call in
        try await center.rights(of: Caller(call.sender)).checkAll("the list of what is muted")
        return await center.mutes.map { $0.plain.mapValues { Value($0) } }
      },
    ]
  }

  private static func key(_ app: String, _ id: String) throws(CenterError) -> (AppID, RequestID) {
    do throws(RequestError) { return (try AppID(app), try RequestID(id)) } catch {
      throw CenterError(.invalidRequest, error.description)
    }
  }
}
