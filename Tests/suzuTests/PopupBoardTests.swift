// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests the popup board: lifetimes, selection, keys and replies.
@Suite struct PopupBoardTests {
  // MARK: Time

  @Test func `A popup without a lifetime stays five seconds and a critical one stays`() {
    var board = PopupBoard(.plain(1), .disk)
    #expect(board.nextDeadline == .seconds(5))
    #expect(board.expire(at: .milliseconds(4999)) == [])
    #expect(board.expire(at: .seconds(5)) == [.closed(1, .expired)])
    #expect(board.ids == [4])
    #expect(board.nextDeadline == nil)
  }

  @Test func `Timeouts of the protocol mean server choice, never and milliseconds`() {
    #expect(Popup.Expiry(milliseconds: -1) == .serverChoice)
    #expect(Popup.Expiry(milliseconds: 0) == .never)
    #expect(Popup.Expiry(milliseconds: 1500) == .after(.milliseconds(1500)))
  }

  @Test func `Popups that expire together leave in order of arrival`() {
    var board = PopupBoard(.plain(1), .plain(2, .after(.seconds(1))), .plain(3))
    #expect(board.expire(at: .seconds(9)) == [.closed(1, .expired), .closed(2, .expired), .closed(3, .expired)])
    #expect(board.selection == nil)
  }

  @Test func `A replacement keeps number and place and restarts the lifetime`() {
    var board = PopupBoard(.plain(1), .plain(2), .plain(3))
    board.show(Popup(id: 2, summary: "New text"), at: .seconds(4))
    #expect(board.ids == [3, 2, 1])
    #expect(board[2]?.summary == "New text")
    #expect(board.expire(at: .seconds(5)) == [.closed(1, .expired), .closed(3, .expired)])
    #expect(board.nextDeadline == .seconds(9))
  }

  // MARK: Closing and acting

  @Test func `The sender can close its popup once`() {
    var board = PopupBoard(.tea)
    #expect(board.close(3, at: .zero) == [.closed(3, .withdrawn)])
    #expect(board.close(3, at: .zero) == [])
  }

  @Test func `An action is reported first and closes its popup unless it is resident`() {
    var board = PopupBoard(.tea, Popup(id: 9, summary: "Player", actions: [("next", "Next")], isResident: true))
    #expect(board.invoke(Popup.tea.buttons[1], of: 3) == [.invoked(3, key: "snooze"), .closed(3, .dismissed)])
    #expect(board.invoke(board[9]!.buttons[0], of: 9) == [.invoked(9, key: "next")])
    #expect(board.ids == [9])
  }

  @Test func `A click on the body invokes the default action or dismisses`() {
    var board = PopupBoard(.tea, .disk)
    #expect(board.open(3) == [.invoked(3, key: "default"), .closed(3, .dismissed)])
    #expect(board.open(4) == [.closed(4, .dismissed)])
  }

  @Test func `Default action and reply are no buttons and a repeated key counts once`() {
    let popup = Popup(
      id: 1, summary: "x",
      actions: [("a", "A"), ("default", ""), ("inline-reply", ""), ("a", "again"), ("b", "")])
    #expect(popup.buttons.map(\.key) == ["a", "b"])
    #expect(popup.buttons.map(\.label) == ["A", "b"])
    #expect(popup.click?.label == "Open")
    #expect(popup.reply?.label == "Reply")
  }

  @Test func `An empty title gets a substitute and progress is clamped`() {
    #expect(Popup(id: 1, appName: "Mail", summary: " \n").summary == "Mail")
    #expect(Popup(id: 1, summary: "").summary == "Notification")
    #expect(Popup(id: 1, summary: "x", progress: 900).progress == 100)
    #expect(Popup(id: 1, summary: "x", progress: -3).progress == 0)
  }

  @Test func `Beyond the limit the oldest popup expires`() {
    var board = PopupBoard()
    for id in 1...1000 { #expect(board.show(.plain(UInt32(id), .never), at: .zero) == []) }
    #expect(board.show(.plain(1001, .never), at: .zero) == [.closed(1, .expired)])
    #expect(board.show(.plain(1001, .never), at: .zero) == [])
    #expect(board.entries.count == 1000)
  }

  // MARK: Selection

  @Test func `A new popup does not take the selection from an active user`() {
    var board = PopupBoard(.tea)
    _ = board.press(.up, at: .seconds(10))
    board.show(.disk, at: .seconds(14))
    #expect(board.selection == 3)
    #expect(board.press(.text("1"), at: .seconds(14)) == .events([.invoked(3, key: "done"), .closed(3, .dismissed)]))
  }

  @Test func `A new popup is selected while the user is idle and keys are ignored for a moment`() {
    var board = PopupBoard(.tea)
    _ = board.press(.up, at: .seconds(10))
    board.show(.disk, at: .seconds(15))
    #expect(board.selection == 4)
    #expect(board.press(.text("1"), at: .seconds(15)) == .events([]))
    #expect(
      board.press(.text("1"), at: .milliseconds(15_300))
        == .events([.invoked(4, key: "clean"), .closed(4, .dismissed)])
    )
  }

  @Test func `A new popup never takes the selection from a reply`() {
    var board = PopupBoard(.chat)
    _ = board.press(.text("r"), at: .zero)
    board.show(.disk, at: .seconds(60))
    #expect(board.selection == 5)
  }

  @Test func `The selection stops at the ends and wraps around with Tab`() {
    var board = PopupBoard(.plain(1), .plain(2), .plain(3))
    var seen: [UInt32?] = []
    let keys: [TerminalKey] = [
      .down, .up, .text("k"), .up, .tab, .backTab, .backTab, .text("j"), .wheelUp, .home, .end,
    ]
    for key in keys {
      #expect(board.press(key, at: .zero) == .events([]))
      seen.append(board.selection)
    }
    #expect(seen == [1, 2, 3, 3, 2, 3, 1, 1, 2, 3, 1])
  }

  @Test func `Dismissing a popup selects the next older one, or the one above the last`() {
    var board = PopupBoard(.plain(1), .plain(2), .plain(3))
    board.select(2)
    #expect(board.press(.text("d"), at: .zero) == .events([.closed(2, .dismissed)]))
    #expect(board.selection == 1)
    #expect(board.press(.escape, at: .zero) == .events([.closed(1, .dismissed)]))
    #expect(board.selection == 3)
  }

  @Test func `A key is ignored right after the selection has moved without input`() {
    var board = PopupBoard(.plain(1, .after(.seconds(1))), .tea)
    #expect(board.selection == 1)
    #expect(board.expire(at: .seconds(1)) == [.closed(1, .expired)])
    #expect(board.press(.text("1"), at: .seconds(1) + .milliseconds(200)) == .events([]))
    #expect(
      board.press(.text("1"), at: .seconds(1) + .milliseconds(300))
        == .events([.invoked(3, key: "done"), .closed(3, .dismissed)]))
  }

  // MARK: Keys

  @Test func `Keys do what the help says`() {
    var board = PopupBoard(.tea, .disk)
    #expect(board.press(.text("7"), at: .zero) == .events([]))
    #expect(board.press(.enter, at: .zero) == .events([.invoked(3, key: "default"), .closed(3, .dismissed)]))
    board.show(.chat, at: .zero)
    #expect(board.selection == 4)
    #expect(board.press(.text("D"), at: .zero) == .events([.closed(5, .dismissed), .closed(4, .dismissed)]))
    for key in [TerminalKey.enter, .escape, .text("d"), .text("1"), .up, .tab, .text("r"), .paste("q")] {
      #expect(board.press(key, at: .zero) == .events([]))
    }
    #expect(board.press(.control("l"), at: .zero) == .redraw)
    #expect(board.press(.text("q"), at: .zero) == .quit)
    #expect(board.press(.control("c"), at: .zero) == .quit)
  }

  @Test func `The tenth button is zero`() {
    let popup = Popup(id: 1, summary: "x", actions: (1...11).map { ("a\($0)", "A\($0)") })
    #expect(popup.button(digit: "9")?.key == "a9")
    #expect(popup.button(digit: "0")?.key == "a10")
    #expect(popup.button(digit: "a") == nil)
  }

  @Test func `A click acts on its popup, whatever is selected`() {
    var board = PopupBoard(.tea, .disk, .chat)
    #expect(board.click(.button(0), of: 4, at: .zero) == [.invoked(4, key: "clean"), .closed(4, .dismissed)])
    #expect(board.click(.button(5), of: 3, at: .zero) == [])
    #expect(board.click(.reply, of: 5, at: .zero) == [])
    #expect(board.draft?.id == 5)
    #expect(board.click(.body, of: 3, at: .zero) == [], "the answer that is being typed is not lost")
    #expect(board.click(.close, of: 5, at: .zero) == [.closed(5, .dismissed)])
    #expect(board.click(.close, of: 5, at: .zero) == [])
    #expect(board.click(.body, of: 3, at: .zero) == [.invoked(3, key: "default"), .closed(3, .dismissed)])
  }

  // MARK: Replies

  @Test func `A reply is typed, edited and sent while letters are no commands`() {
    var board = PopupBoard(.chat)
    #expect(board.press(.text("r"), at: .zero) == .events([]))
    for key in "q1 dog".unicodeScalars { #expect(board.press(.text(key), at: .zero) == .events([])) }
    _ = board.press(.control("w"), at: .zero)
    _ = board.press(.paste("yes\r\nno\u{1B}[31m!"), at: .zero)
    _ = board.press(.left, at: .zero)
    _ = board.press(.backspace, at: .zero)
    #expect(board.draft?.text == "q1 yes n!")
    #expect(
      board.press(.enter, at: .zero) == .events([.replied(5, text: "q1 yes n!"), .closed(5, .dismissed)]))
    #expect(board.draft == nil)
  }

  @Test func `A reply suspends the lifetime, which restarts when the reply is discarded`() {
    var board = PopupBoard(.chat)
    _ = board.press(.text("r"), at: .zero)
    #expect(board.nextDeadline == nil)
    #expect(board.expire(at: .seconds(60)) == [])
    #expect(board.press(.escape, at: .seconds(60)) == .events([]))
    #expect(board.draft == nil)
    #expect(board.expire(at: .seconds(64)) == [])
    #expect(board.expire(at: .seconds(65)) == [.closed(5, .expired)])
  }

  @Test func `An empty reply is not sent`() {
    var board = PopupBoard(.chat)
    _ = board.press(.text("r"), at: .zero)
    _ = board.press(.text(" "), at: .zero)
    #expect(board.press(.enter, at: .zero) == .events([]))
    #expect(board.draft?.text == " ")
  }

  @Test func `A reply survives a replacement only if that still asks for one`() {
    var board = PopupBoard(.chat)
    _ = board.press(.text("r"), at: .zero)
    _ = board.press(.text("x"), at: .zero)
    board.show(.chat, at: .seconds(1))
    #expect(board.draft?.text == "x")
    board.show(Popup(id: 5, summary: "Ann left"), at: .seconds(1))
    #expect(board.draft == nil)
  }

  @Test func `A resident popup accepts several replies`() {
    var board = PopupBoard(Popup(id: 1, summary: "x", actions: [("inline-reply", "Reply")], isResident: true))
    #expect(board.reply("one", to: 1, at: .zero) == [.replied(1, text: "one")])
    #expect(board.reply("two", to: 1, at: .zero) == [.replied(1, text: "two")])
    #expect(board.reply("no", to: 2, at: .zero) == [])
  }

  @Test func `Editing works on characters, not bytes`() {
    var draft = ReplyDraft(id: 1)
    for scalar in "e\u{301}👩\u{200D}👧 漢".unicodeScalars { draft.insert(String(scalar)) }
    #expect(draft.text == "e\u{301}👩\u{200D}👧 漢")
    #expect(draft.cursor == 4)
    draft.edit(.backspace)
    draft.edit(.control("w"))
    #expect(draft.text == "")
    draft.insert("one two three")
    draft.edit(.control("w"))
    #expect(draft.text == "one two ")
    draft.edit(.control("w"))
    #expect(draft.text == "one ")
    draft.edit(.home)
    draft.edit(.delete)
    draft.insert("O")
    draft.edit(.end)
    #expect(draft.text == "One ")
    draft.edit(.control("u"))
    #expect(draft.text == "" && draft.cursor == 0)
  }
}
