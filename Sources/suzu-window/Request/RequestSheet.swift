// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import WindowModel
internal import Zoneinfo

/// The sheet for a new request: what, and when, with its next dates as the center finds them while it is typed.
@MainLoop final class RequestSheet {
  private var draft = RequestDraft()
  private let link: CenterLink
  private let preview = Label("", lines: 0).styled("dim-label")
  private let popup = PopupView()
  private var server: (name: String, showsBody: Bool)?
  // Set once, by the initializer: its handlers call this object.
  private var titleField: Field!
  private var bodyField: Field!
  private var whenField: Field!
  private(set) var sheet: Sheet!  // Likewise.
  /// Rises with each change, so that an answer to an earlier one is not shown.
  private var version = 0
  private var isSending = false

  init(_ link: CenterLink, over parent: Widget) {
    self.link = link
    // Each is made once, here, and lives as long as this object.
    titleField = Field("Title") { [unowned self] text in
      draft.title = text
      titleField.problem = nil
      drawPopup()
    }
    bodyField = Field("Text", hint: "Optional") { [unowned self] text in
      draft.body = text
      bodyField.problem = nil
      drawPopup()
    }
    let timing = Choice(
      RequestDraft.Timing.allCases.map(\.label), named: "When it comes", chosen: draft.timing.rawValue
    ) { [unowned self] index in
      draft.timing = RequestDraft.Timing(rawValue: index) ?? .at
      whenField.example = draft.timing.example
      changed()
    }
    whenField = Field("When", hint: "In the words of 'suzu notify'", beside: timing) { [unowned self] text in
      draft.when = text
      changed()
    }
    whenField.example = draft.timing.example
    preview.spoken("Next dates")
    // Room for four dates, because the sheet does not grow with them.
    preview.reserve(height: 76)
    let content = Box(.column, spacing: 18, [titleField, bodyField, whenField, preview, popup.widget])
    sheet = Sheet("New request", over: parent, content, owner: self, confirm: "_Schedule", width: 480) {
      [unowned self] in send()
    }
    titleField.focus()
    drawPopup()
    Task {
      // Without it, the preview says nothing about the server.
      server = (try? await link.server()) ?? nil
      drawPopup()
    }
  }

  private func drawPopup() { popup.show(PopupPreview(draft, on: server)) }

  private func changed() {
    version += 1
    let asked = version
    whenField.problem = nil
    do throws(RequestDraft.Problem) {
      guard let request = try draft.preview() else { return preview.text = "" }
      Task {
        do throws(SuzuError) {
          let dates = try await link.next(request, count: draft.timing == .every ? 4 : 1)
          if asked == version { show(dates) }
        } catch {
          if asked == version { say(draft.problem(error.message)) }
        }
      }
    } catch {
      say(error)
    }
  }

  private func show(_ dates: [Int64]) {
    let clock = LocalClock.current
    let words = dates.map { clock.words(Instant($0)) }
    preview.text = words.isEmpty ? "It has no dates" : words.joined(separator: "\n")
    preview.spoken("Next dates: " + words.joined(separator: "; "))
  }

  private func say(_ problem: RequestDraft.Problem) {
    if problem.field == .when { preview.text = "" }
    titleField.problem = problem.field == .title ? problem.text : nil
    bodyField.problem = problem.field == .body ? problem.text : nil
    whenField.problem = problem.field == .when ? problem.text : nil
    sheet.say(problem.field == nil ? problem.text : nil)
  }

  private func send() {
    if isSending { return }
    do throws(RequestDraft.Problem) {
      let request = try draft.request()
      isSending = true
      sheet.isReady = false
      Task {
        do throws(SuzuError) {
          try await link.notify(request)
          sheet.close()
        } catch {
          say(draft.problem(error.message))
        }
        isSending = false
        sheet.isReady = true
      }
    } catch {
      say(error)
      switch error.field {
      case .title: titleField.focus()
      case .body: bodyField.focus()
      case .when: whenField.focus()
      case nil: break
      }
    }
  }
}
