// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import Launcher
internal import NotificationModel
internal import WindowModel

/// The page *Launcher*: apps, whose actions are switched on in a sheet, and the button that registers them.
@MainLoop final class LauncherPage {
  let widget: Widget
  private let list = DayList<LauncherRow>("Launcher", hasTimes: false)
  private let pages: Pages
  private let summary = Label("", lines: 0).expanding(horizontally: true)
  private let problem = StatusPage(icon: "dialog-warning-symbolic", "The launcher cannot be read")
  // Set by the initializer, and never again: what happens in them calls this object.
  private var search: SearchLine!
  private var register: Button!
  private var files: LauncherFiles!
  private var model = LauncherList()
  private var file = LauncherFile()
  private var isReading = false
  private var isStale = true
  private weak var sheet: LauncherSheet?

  var onSheet: @MainLoop (Sheet) -> Void = { _ in }
  /// Called with the requests to register.
  var onRegister: @MainLoop (Registration) -> Void = { _ in }
  /// Called with what went wrong, or with what was done.
  var onMessage: @MainLoop (String) -> Void = { _ in }
  /// Whether each action gets a notification of its own.
  private var isEach = false

  init() {
    pages = Pages([
      ("wait", StatusPage(icon: "dev.suzu.Suzu-symbolic", "Reading")), ("list", list.widget),
      (
        "empty",
        StatusPage(icon: "edit-find-symbolic", "No app found", "Apps in the menu of this desktop are listed here.")
      ), ("problem", problem),
    ])
    let column = Box(.column).expanding(vertically: true)
    widget = column
    search = SearchLine(named: "Search actions") { [unowned self] text in draw(model.find(text)) }
    register = Button("_Register") { [unowned self] in send() }
    let choose = Button("_Import…") { [unowned self] in chooseLists() }
    let each = Choice(["One for each app", "One for each action"], named: "Notifications", chosen: 0) {
      [unowned self] choice in isEach = choice == 1
    }
    let bar = Box(
      .column, spacing: 9,
      [
        Box(.row, spacing: 12, [summary.centered(), choose.centered()]),
        Box(
          .row, spacing: 12,
          [each.expanding(horizontally: true).centered(), register.styled("suggested-action").centered()]),
      ])
    for part in [search, pages, Clamp(bar.margins(vertical: 9, horizontal: 12))] as [Widget] { column.append(part) }
    list.onOpen = { [unowned self] row in open(row.app) }
    files = LauncherFiles { [unowned self] in changed() }
  }

  func focusSearch() { search.focus() }

  /// Whether the user sees it: only then are the apps read.
  var isShown = false {
    didSet { if isShown, !oldValue { read() } }
  }

  private func changed() { if isShown || sheet != nil { read() } }

  private func read() {
    isStale = true
    if isReading { return }
    isReading = true
    Task {
      while isStale {
        isStale = false
        do throws(LauncherError) {
          let (catalogue, file) = try await files.read()
          self.file = file
          draw(model.show(catalogue, file))
          sheet?.show(file)
        } catch {
          problem.say(error.text)
          pages.shown = "problem"
          register.isSensitive = false
        }
      }
      isReading = false
    }
  }

  private func draw(_ change: ListChange?) {
    list.show(model.entries, change, .current)
    summary.text = model.summary
    register.isSensitive = !model.enabled.isEmpty
    pages.shown = model.isEmpty ? "empty" : "list"
  }

  private func open(_ app: Catalogue.App) {
    let sheet = LauncherSheet(app, files, over: widget) { [unowned self] in read() }
    sheet.show(file)
    self.sheet = sheet
    onSheet(sheet.sheet)
  }

  private func send() {
    do throws(LauncherError) { onRegister(try Registration(model.enabled, each: isEach, after: .zero)) } catch {
      onMessage(error.text)
    }
  }

  /// Lets the user choose property lists, and shows what is in them.
  private func chooseLists() {
    FileChoice.open("Lists to import", over: widget) { [unowned self] paths in
      let sheet = ImportSheet(paths, files, over: widget) { [unowned self] text in
        read()
        onMessage(text)
      }
      onSheet(sheet.sheet)
    }
  }
}
