// SPDX-License-Identifier: Apache-2.0
internal import CDBus

/// The elements of an array argument, each converted when it is requested: of a call with a hundred thousand, only one
/// is in memory at a time.
///
///     let elements = call.elements(of: 0)
///     while let element = elements.next() { … }
public final class ArgumentElements: @unchecked Sendable {
  // @unchecked: only one task at a time uses the iterator, that of the handler. It points into the message, which this
  // owns a reference to.
  private enum Source {
    case values(ArraySlice<Value>)
    case message(HeldMessage, DBusMessageIter)
  }

  private var source: Source

  init(_ values: [Value]) { source = .values(values[...]) }

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
  public func next() -> Value? {
    switch source {
    case .values(var values):
      source = .values([])  // or taking one would copy the others
      let value = values.popFirst()
      source = .values(values)
      return value
    case .message(let message, var iterator):
      let type = dbus_message_iter_get_arg_type(&iterator)
      if type == TypeCode.end { return nil }
      let value = MessageReader.valueWithoutDescriptors(&iterator, type)
      dbus_message_iter_next(&iterator)
      source = .message(message, iterator)
      return value
    }
  }

  /// Releases the message with the remaining elements.
  public func end() { source = .values([]) }
}

extension IncomingCall {
  /// Returns the number of elements of the array argument at `index`; counting stops above `limit`. Long arguments are
  /// counted in the message.
  public func count(of index: Int, upTo limit: Int) -> Int {
    if case .held(let held) = content, let message = held.message {
      return ArgumentElements(of: index, in: message).count(upTo: limit)
    }
    return arguments[index].elements?.count ?? 0
  }

  /// Reads only the argument at `index`, and leaves the others in the message.
  public func argument(_ index: Int) -> Value {
    if case .held(let held) = content, let message = held.message {
      return message.withReader { $0.argumentWithoutDescriptors(index) }
    }
    return arguments[index]
  }

  /// Returns the elements of the array argument at `index`. Afterwards ``arguments`` is empty.
  public func elements(of index: Int) -> ArgumentElements {
    switch content {
    case .values(let values): return ArgumentElements(values[index].elements ?? [])
    case .held(let held):
      guard let message = held.message else { return ArgumentElements(held.values[index].elements ?? []) }
      held.letGo()
      return ArgumentElements(of: index, in: message)
    }
  }
}
