// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import Glibc
internal import WindowModel

/// One question of an app in a window of its own, in a process that ends with the answer. It is no application on the
/// bus: there may be several at a time, and each opens without waiting for another program.
@MainLoop final class QuestionDialog {
  /// The exit status if the user closes it without an answer. 1 is GTK's, if it loses the screen.
  nonisolated static let noAnswer: Int32 = 3

  private let window: QuestionWindow
  private var end: End?

  private enum End {
    case answered(String)
    case closed
  }

  /// Reads the question from standard input.
  nonisolated static func read() -> Result<AppQuestion, AppQuestion.Problem> {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count <= AppQuestion.longestInput {
      let count = piece.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count == 0 || (count < 0 && errno != EINTR) { break }
      bytes += piece.prefix(max(0, count))
    }
    return Result { () throws(AppQuestion.Problem) in
      try AppQuestion(input: bytes)
    }
  }

  /// What must be set before GTK starts. A small window is drawn by the processor before a driver for graphics is
  /// loaded; and it has the icon of Suzu in the list of windows.
  nonisolated static func prepare() {
    setenv("GSK_RENDERER", "cairo", 0)
    g_set_prgname("dev.suzu.Suzu")
  }

  init(_ question: AppQuestion) {
    adw_init()
    window = QuestionWindow(question)
    window.onEnd = { [unowned self] answer in end = end ?? answer.map { .answered($0) } ?? .closed }
    endWithReader()
  }

  /// Shows it until it is answered or closed; returns nil if it is closed.
  func run() -> String? {
    window.present()
    while true {
      switch end {
      case .answered(let text): return text
      case .closed: return nil
      case nil: g_main_context_iteration(nil, 1)
      }
    }
  }

  /// Closes the window when the program that waits for the answer has ended: an answer would be lost.
  private func endWithReader() {
    let output = g_io_channel_unix_new(STDOUT_FILENO)
    g_io_add_watch(
      output, GIOCondition(G_IO_ERR.rawValue | G_IO_HUP.rawValue),
      { _, _, box in
        Handler.run(box)
        return 0
      }, Handler<Void> { [weak self] in self?.end = .closed }.retained)
    g_io_channel_unref(output)
  }
}
