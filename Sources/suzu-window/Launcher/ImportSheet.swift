// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import Launcher
internal import WindowModel

/// Property lists that the user has chosen, before they are imported: what they add, or what is wrong with them and
/// where.
@MainLoop final class ImportSheet {
  private let files: LauncherFiles
  private let imported: @MainLoop (String) -> Void
  private(set) var sheet: Sheet!  // Set by the initializer, and never again: what happens in it calls this object.
  private let names = Label("", lines: 0).styled("title-4")
  private let summary = Label("", lines: 0)
  private var paths: [String] = []
  /// Rises with each choice, so that what is read late of an earlier one is not shown.
  private var version = 0
  private var isSending = false

  /// - Parameter imported: called when the lists are stored, with what was added in words.
  init(
    _ paths: [String], _ files: LauncherFiles, over parent: Widget, imported: @escaping @MainLoop (String) -> Void
  ) {
    (self.files, self.imported) = (files, imported)
    // Room for some lines, because the sheet does not grow with them.
    summary.reserve(height: 76)
    let others = Button("C_hoose other files") { [unowned self] in
      FileChoice.open("Lists to import", over: sheet.body) { [weak self] in self?.read($0) }
    }
    gtk_widget_set_halign(others.widget, GTK_ALIGN_START)
    let content = Box(.column, spacing: 12, [names, summary, others.styled("pill")])
    sheet = Sheet("Import lists", over: parent, content, owner: self, confirm: "_Import") { [unowned self] in send() }
    read(paths)
  }

  private func read(_ paths: [String]) {
    self.paths = paths
    version += 1
    let asked = version
    sheet.isReady = false
    sheet.say(nil)
    names.text = paths.map { ShownText.line(Self.name(of: $0), atMost: 120) }.joined(separator: ", ")
    summary.text = ""
    Task {
      do throws(LauncherError) {
        let preview = try await files.preview(paths)
        guard asked == version else { return }
        summary.text = preview.text
        sheet.isReady = !preview.isEmpty
      } catch {
        if asked == version { say(error) }
      }
    }
  }

  private func send() {
    if isSending { return }
    isSending = true
    sheet.isReady = false
    Task {
      do throws(LauncherError) {
        let preview = try await files.add(paths)
        imported("Imported \(preview.text)")
        sheet.close()
      } catch {
        say(error)
      }
      isSending = false
    }
  }

  private func say(_ error: LauncherError) {
    summary.text = ""
    // The folder stands in the dialog of the desktop, and would hide the place.
    let isChosen = paths.contains(error.subject)
    let shown = isChosen ? LauncherError(error.code, Self.name(of: error.subject), error.problem) : error
    sheet.say(ShownText.line(shown.text))
  }

  private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
