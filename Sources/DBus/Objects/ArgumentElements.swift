// SPDX-License-Identifier: Apache-2.0
internal import CDBus

/// The elements of an argument that is an array, each made when it is asked for: of a call with a hundred thousand there
/// is one at a time.
///
///     let elements = call.elements(of: 0)
///     while let element = elements.next() { … }
public final class ArgumentElements: @unchecked Sendable {
  // @unchecked: the iterator is used by one task at a time, the handler's. It points into the message, which this owns a
  // reference to.
  private enum Source {
    case values(ArraySlice<Value>)
    case message(HeldMessage, DBusMessageIter)
  }

  private var source: Source

  init(_ values: [Value]) { source = .values(values[...]) }

  init(of index: Int, in message: HeldMessage) {
    source = .message(message, message.withReader { $0.elements(of: index) })
  }

  /// How many there are; counting ends above `limit`.
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

  /// How many bytes the next one takes in the message, as far as is known without a look into it; 0: it is short.
  public var nextSize: Int {
    guard case .message(_, var iterator) = source else { return 0 }
    let type = dbus_message_iter_get_arg_type(&iterator)
    return type == TypeCode.end ? 0 : MessageReader.length(&iterator, type, upTo: .max)
  }

  /// The next one.
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

  /// Lets go of the message, and with it of what has not been asked for.
  public func end() { source = .values([]) }
}

extension IncomingCall {
  /// How many elements the argument at `index` has, which is an array; counting ends above `limit`. Long arguments are
  /// counted in the message.
  public func count(of index: Int, upTo limit: Int) -> Int {
    if case .held(let held) = content, let message = held.message {
      return ArgumentElements(of: index, in: message).count(upTo: limit)
    }
    return arguments[index].elements?.count ?? 0
  }

  /// The elements of the argument at `index`, which is an array. Afterwards ``arguments`` has none any more.
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
