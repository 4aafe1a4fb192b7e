// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita

/// One reference to an object of GLib, released with this object.
@MainLoop class ObjectReference {
  /// Unsafe: it does not change, is used on the main loop, and released there.
  nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

  /// Takes over the reference of a new object. That of a new widget is a floating one, which belongs to its first
  /// owner.
  init(taking object: some CPointer) {
    pointer = object.raw
    if g_object_is_floating(pointer) != 0 { g_object_ref_sink(pointer) }
  }

  /// Holds an object that another one owns.
  init(sharing object: some CPointer) {
    pointer = object.raw
    g_object_ref(pointer)
  }

  deinit {
    // On the main thread, and in a later turn of its loop: Swift may end this object as soon as its pointer has been
    // read, before the function that it is read for has taken a reference of its own.
    g_idle_add_full(
      window_priority,
      { object in
        g_object_unref(object)
        return 0
      }, pointer, nil)
  }

  /// The pointer as a function of C wants it.
  func to<T>() -> UnsafeMutablePointer<T> { pointer.assumingMemoryBound(to: T.self) }
  /// The same for types that the headers only name.
  func to() -> OpaquePointer { OpaquePointer(pointer) }

  // MARK: Signals

  /// Calls `handler` at each signal of that name, as long as the object exists.
  func on(_ signal: String, _ handler: @escaping @MainLoop () -> Void) {
    _ = window_connect(
      pointer, signal, { box in Handler.run(box) }, Handler<Void>(handler).retained,
      { Handler<Void>.drop($0) })
  }

  /// Calls `handler` when the user closes this window, which then closes.
  func onClose(_ handler: @escaping @MainLoop () -> Void) {
    onQuestion("close-request") {
      handler()
      return false
    }
  }

  /// The same for a signal that asks whether it has been handled.
  func onQuestion(_ signal: String, _ handler: @escaping @MainLoop () -> Bool) {
    _ = window_connect_question(
      pointer, signal, { box in Question.of(box).answer }, Question(handler).retained, { Question.drop($0) })
  }

  /// The same for a signal whose first argument is an object.
  func on(_ signal: String, withObject handler: @escaping @MainLoop (UnsafeMutableRawPointer) -> Void) {
    _ = window_connect_pointer(
      pointer, signal,
      { box, object in
        // A pointer of the main thread, handed on in place.
        nonisolated(unsafe) let object = object
        MainLoop.assume { if let object { Handler<UnsafeMutableRawPointer>.of(box)?.call(object) } }
      }, Handler(handler).retained, { Handler<UnsafeMutableRawPointer>.drop($0) })
  }

  /// The same for a signal whose first argument is a number.
  func on(_ signal: String, withNumber handler: @escaping @MainLoop (Int) -> Void) {
    _ = window_connect_number(
      pointer, signal, { box, number in MainLoop.assume { Handler<Int>.of(box)?.call(Int(number)) } },
      Handler(handler).retained, { Handler<Int>.drop($0) })
  }
}

/// A pointer of C, of whatever type.
protocol CPointer { var raw: UnsafeMutableRawPointer { get } }
extension UnsafeMutablePointer: CPointer { var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) } }
extension OpaquePointer: CPointer { var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) } }
extension UnsafeMutableRawPointer: CPointer { var raw: UnsafeMutableRawPointer { self } }
