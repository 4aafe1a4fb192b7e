// SPDX-License-Identifier: Apache-2.0
internal import CDBus

/// The elements of an array argument, each converted when it is requested: of a call with a hundred thousand, only one
/// is in memory at a time.
///
///     let cancel = MethodDescription("Cancel", in: ("ids", [String].self), out: ("count", UInt32.self))
///     let method = Method(unread: cancel) { _, ids, _ in
///       let elements = ids.elements()
///       var count: UInt32 = 0
///       while let id = try elements.next(), !id.isEmpty { count += 1 }
///       return count
///     }
public final class ArgumentElements<Element: BusType>: @unchecked Sendable {
  // @unchecked: only one task at a time uses the iterator, that of the handler. It points into the message, which this
  // owns a reference to.
  private enum Source {
    case values(ArraySlice<Element>)
    case message(HeldMessage, DBusMessageIter)
  }

  private var source: Source

  init(_ values: [Element]) { source = .values(values[...]) }

  init(of index: Int, in message: HeldMessage) {
    source = .message(message, message.withReader { $0.elements(of: index) })
  }

  /// The number of elements; counting stops above `limit`.
  public func count(upTo limit: Int) -> Int {
    switch source {
    case .values(let values): return values.count
    case .message(_, var iterator):
      var count = 0
      while count <= limit, dbus_message_iter_get_arg_type(&iterator) != TypeCode.end {
        count += 1
        dbus_message_iter_next(&iterator)
      }
      return count
    }
  }

  /// The size of the next element in the message in bytes, as far as known without reading it; 0 if it is short.
  public var nextSize: Int {
    guard case .message(_, var iterator) = source else { return 0 }
    let type = dbus_message_iter_get_arg_type(&iterator)
    return type == TypeCode.end ? 0 : MessageReader.length(&iterator, type, upTo: .max)
  }

  /// Returns the next element.
  public func next() throws(RemoteError) -> Element? {
    switch source {
    case .values(var values):
      source = .values([])  // or taking one would copy the others
      let value = values.popFirst()
      source = .values(values)
      return value
    case .message(let message, let iterator):
      var reader = ArgumentReader(iterator)
      if reader.isAtEnd { return nil }
      defer { source = .message(message, reader.iterator) }
      do throws(BusError) { return try Element.read(from: &reader) } catch { throw RemoteError(unreadable: error) }
    }
  }

  /// Releases the message with the remaining elements.
  public func end() { source = .values([]) }
}

extension RemoteError {
  /// The refusal of a call whose arguments cannot be read: one is not a valid name, or a descriptor is missing.
  init(unreadable error: BusError) {
    self.init(error.code == .outOfResources ? .limitsExceeded : .invalidArgs, error.message)
  }
}
