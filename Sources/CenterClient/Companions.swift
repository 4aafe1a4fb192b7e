// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Objects that another library keeps for a center, one for each name, for as long as someone uses them.
package final class Companions: Sendable {
  private struct Companion {
    weak var object: (any AnyObject & Sendable)?
  }

  private let companions = Mutex<[String: Companion]>([:])

  /// The object with that name.
  package func find<Object: AnyObject & Sendable>(_ name: String, as type: Object.Type = Object.self) -> Object? {
    companions.withLock { $0[name]?.object as? Object }
  }

  /// The object with that name; makes it if there is none.
  package func find<Object: AnyObject & Sendable>(_ name: String, orMake make: () -> Object) -> Object {
    companions.withLock { companions in
      if let object = companions[name]?.object as? Object { return object }
      let object = make()
      companions = companions.filter { $0.value.object != nil }
      companions[name] = Companion(object: object)
      return object
    }
  }
}
