// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// Moves requests to other times. Moves of one request in a row have one message, and are undone together as long as it
/// is shown.
@MainLoop final class RequestMover {
  private let link: CenterLink
  private let messages: MessageBar
  private var last: Last?
  private var message: UndoMessage?

  /// What was moved back last.
  private var movedBack: Last?

  private struct Last {
    let name: RequestName
    /// When it came before all moves, and when it comes now.
    let first: Instant?
    var next: Instant?
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

  init(_ link: CenterLink, in messages: MessageBar) { (self.link, self.messages) = (link, messages) }

  /// Returns whether it can be moved.
  func move(_ row: UpcomingRow, _ move: MovedRequest.Move) -> Bool {
    let clock = LocalClock.current
    // Until all moves are stored and listed, its row may say any of the dates before.
    let isBehind = isSending || link.isBehind
    let earlier = [last, isBehind ? movedBack : nil].lazy.compactMap(\.self).first { $0.name == row.name }
    let from = isBehind ? earlier?.next : nil
    let moved: MovedRequest
    do throws(MovedRequest.Problem) { moved = try MovedRequest(row, move, from: from, clock) } catch {
      onProblem(error.text)
      return false
    }
    last = Last(
      name: row.name, first: earlier.map(\.first) ?? row.next, next: moved.next,
      original: earlier?.original ?? MovedRequest.original(row, clock), title: row.title)
    store(moved.words)
    show("Moved \(ShownText.isolated(row.title, atMost: 60)) to \(clock.day(moved.next)) \(clock.time(moved.next))")
    return true
  }

  func undo() { message?.undo() }

  /// Lets the last move be.
  func forget() { message?.dismiss() }

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
    // One message for moves in a row.
    if let message { return message.say(text) }
    let message = UndoMessage(text) { [unowned self] isUndone in
      self.message = nil
      guard var undone = last.take(), isUndone else { return }
      undone.next = undone.first
      movedBack = undone
      store(undone.original)
    }
    self.message = message
    message.show(in: messages)
  }
}
