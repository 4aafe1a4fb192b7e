// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func placeMethods(of center: CenterService) -> [Method] {
    [
      Method(CenterMethods.places) { _, call in
        try await center.rights(of: Caller(call.sender)).checkAll("the list of places")
        return await center.places.map { $0.plain.mapValues { Value($0) } }
      },
      Method(CenterMethods.setPlaces, bounds: .request) { _, places, call in
        try await center.rights(of: Caller(call.sender)).checkAll("naming places")
        try await center.setPlaces(try places.enumerated().map { index, place in try Self.place(place, at: index) })
      },
      Method(CenterMethods.position) { _, call in
        try await center.rights(of: Caller(call.sender)).checkAll("the position")
        let position = try await center.position()
        return (position.latitude, position.longitude, position.accuracy)
      },
    ]
  }

  static func place(_ words: [String: Value], at index: Int) throws(CenterError) -> NamedPlace {
    do throws(RequestError) { return try NamedPlace(words.compactMapValues { PlainValue($0) }) } catch {
      throw CenterError(.invalidRequest, "[\(index)]: \(error.description)")
    }
  }
}
