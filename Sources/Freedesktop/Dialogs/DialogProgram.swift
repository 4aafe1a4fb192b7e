// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import SystemFiles

/// The program that draws our dialogs: `suzu-window` where it is installed, otherwise `zenity` or `kdialog`.
enum DialogProgram: String {
  case window = "suzu-window"
  case zenity
  case kdialog

  /// The installed programs: ours, then the desktop's own.
  static var installed: [DialogProgram] {
    let desktops = EnvironmentVariable.value(of: "XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? []
    let order: [DialogProgram] =
      desktops.contains("KDE") ? [.window, .kdialog, .zenity] : [.window, .zenity, .kdialog]
    return order.filter { ProgramSearch.current.path(of: $0.rawValue) != nil }
  }

  /// kdialog accepts rows only on the command line, where other users could read the contents of a notification.
  var showsLists: Bool { self != .kdialog }

  /// The result of a dialog.
  enum Ending {
    /// The user confirmed; the output of the program without its line end.
    case agreed(String)
    case cancelled
    case closed
    case failed(String)
    /// The program drew nothing, and another one may: it is of another version, or misses its libraries.
    case unfit(String)
  }

  /// Shows a dialog until the user has answered, or the task is cancelled.
  ///
  /// - Parameter arguments: every user of the machine can read these.
  /// - Parameter input: the program's standard input, which no other user can read.
  func show(
    _ arguments: [String], input: String? = nil, activationToken: String?, on loop: EventLoop
  ) async -> Ending {
    var command = ChildProcess.Command([rawValue] + arguments, environment: Self.environment, input: input)
    command.grace = .seconds(2)
    if let activationToken {
      command.environment["XDG_ACTIVATION_TOKEN"] = activationToken
      command.environment["DESKTOP_STARTUP_ID"] = activationToken
    }
    let answer = await ChildProcess.ask(command, on: loop)
    switch answer.ending {
    case .exited(0, _):
      guard let output = answer.output else { return .failed("\(rawValue): the answer is too long") }
      return .agreed(output.hasSuffix("\n") ? String(output.dropLast()) : output)
    case .exited(cancellationStatus, _): return .cancelled
    case .exited(let status, _):
      let why = "\(rawValue): exit \(status)"
      return self == .window ? .unfit(why) : .failed(why)
    case .signalled(let signal): return .failed("\(rawValue): signal \(signal)")
    case .timedOut: return .closed
    case .running: return .failed("\(rawValue): the end of the program cannot be observed")
    case .notStarted(let why): return .failed(why)
    }
  }

  /// Shows a question with our own program.
  static func show(_ question: DialogQuestion, activationToken: String?, on loop: EventLoop) async -> Ending {
    await DialogProgram.window.show(["--dialog"], input: question.json, activationToken: activationToken, on: loop)
  }

  /// zenity's own 1 is also GTK's exit status without a screen.
  private var cancellationStatus: Int32 {
    switch self {
    case .window, .zenity: 3
    case .kdialog: 1
    }
  }

  private static var environment: [String: String] {
    // zenity reads its exit statuses from the environment, where they may have been changed.
    var variables = ["ZENITY_OK": "0", "ZENITY_CANCEL": "3", "ZENITY_ESC": "3", "ZENITY_ERROR": "2"]
    // In a locale without UTF-8 it refuses arguments that are not ASCII, and prints question marks.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { EnvironmentVariable.value(of: $0) }.first?
      .lowercased()
    if locale.map({ $0.contains("utf-8") || $0.contains("utf8") }) != true { variables["LC_ALL"] = "C.UTF-8" }
    return variables
  }
}
