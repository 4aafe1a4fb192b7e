// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import CenterClient
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// Moves requests to other times. Moves of one request in a row are undone together, as long as their message is shown, which is the same for all.
@MainLoop final class RequestMover {
  private let link: CenterLink
  private let overlay: Widget
  private var last: Last?
  private var toast: ObjectReference?

  private struct Last {
    let name: RequestName
    /// When the row said that it comes, before the move, so that a row that is not yet up to date is known.
    var stale: Instant?
    var next: Instant
    let original: [String: PlainValue]
    let title: String
  }

  /// What is to be stored next, while the center stores something.
  private var waiting: [String: PlainValue]?
  private var isSending = false
  /// Called with an error.
  var onProblem: @MainLoop (String) -> Void = { _ in }
  /// Called while the center is asked, so that the program does not end before.
  var whileBusy: @MainLoop (_ isBusy: Bool) -> Void = { _ in }

  init(_ link: CenterLink, in overlay: Widget) { (self.link, self.overlay) = (link, overlay) }

  /// Whether there is a move to undo.
  var canUndo: Bool { last != nil }

  /// Returns whether it can be moved.
  func move(_ row: UpcomingRow, _ move: MovedRequest.Move) -> Bool {
    let clock = LocalClock.current
    let earlier = last.flatMap { $0.name == row.name ? $0 : nil }
    let from = earlier.flatMap { $0.stale == row.next ? $0.next : nil }
    let moved: MovedRequest
    do throws(MovedRequest.Problem) { moved = try MovedRequest(row, move, from: from, clock) } catch {
      onProblem(error.text)
      return false
    }
    last = Last(
      name: row.name, stale: row.next, next: moved.next,
      original: earlier?.original ?? MovedRequest.original(row, clock), title: row.title)
    store(moved.words)
    show("Moved \(ShownText.isolated(row.title, atMost: 60)) to \(clock.day(moved.next)) \(clock.time(moved.next))")
    return true
  }

  func undo() {
    guard let undone = last else { return }
    forget()
    store(undone.original)
  }

  /// Lets the last move be.
  func forget() {
    last = nil
    // It may still wait for the message of a cancelled request to leave.
    if let toast = toast.take() { Toast.dismiss(toast, after: 1500) }
  }

  /// Stores one at a time, and of those that wait the latest.
  private func store(_ words: [String: PlainValue]) {
    waiting = words
    if isSending { return }
    isSending = true
    whileBusy(true)
    Task {
      while let words = waiting.take() {
        do throws(SuzuError) { try await link.notify(words) } catch {
          forget()
          onProblem(error.message)
        }
      }
      isSending = false
      whileBusy(false)
    }
  }

  private func show(_ text: String) {
    // One message for moves in a row: each key is a move, and messages that replace each other flicker.
    if let toast { return Toast.say(text, on: toast) }
    let toast = Toast.make(text, button: "Undo")
    self.toast = toast
    toast.on("button-clicked") { [weak self] in self?.undo() }
    toast.on("dismissed") { [weak self, weak toast] in
      // There may be a later message by now.
      guard let self, let toast, self.toast === toast else { return }
      (self.toast, last) = (nil, nil)
    }
    // The overlay takes over a reference.
    g_object_ref(toast.pointer)
    adw_toast_overlay_add_toast(overlay.to(), toast.to())
  }
}
