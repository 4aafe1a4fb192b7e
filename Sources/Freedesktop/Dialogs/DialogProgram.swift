// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import SystemFiles

/// A program that draws our dialogs. To add one, write a file like those of the others, and name it in
/// ``DialogPrograms``.
protocol DialogProgram: Sendable {
  /// The name of its executable file.
  var name: String { get }
  /// Its exit status if the user cancelled the dialog.
  var cancellationStatus: Int32 { get }
  /// Whether the next program may ask if this one fails: it is of another version, or misses its libraries.
  var mayBeUnfit: Bool { get }
  /// What its environment has to contain.
  var environment: [String: String] { get }
  /// The command that shows a list and prints the index of the choice; nil if the program shows no lists.
  func command(for list: Chooser) -> DialogCommand?
  /// The command that asks for a line of text and prints it; nil if the program cannot do that.
  func command(for line: Prompt) -> DialogCommand?
}

extension DialogProgram {
  var mayBeUnfit: Bool { false }
  var environment: [String: String] { [:] }
}

/// How a program is started for one dialog.
struct DialogCommand {
  /// Every user of the machine can read these.
  var arguments: [String]
  /// The program's standard input, which no other user can read.
  var input: String?
  /// The output of the program if the user chose a row that is no choice: the dialog is shown again.
  var outputOfNoChoice: String?
}

/// How a dialog ended.
enum DialogEnding {
  /// The user confirmed; the output of the program without its line end.
  case agreed(String)
  case cancelled
  case closed
  case failed(String)
  /// The program drew nothing, and the next one may.
  case unfit(String)
}

extension DialogProgram {
  /// Shows a dialog until the user has answered, or the task is cancelled.
  func show(_ command: DialogCommand, activationToken: String?, on loop: EventLoop) async -> DialogEnding {
    while true {
      let ending = await showOnce(command, activationToken, on: loop)
      if case .agreed(command.outputOfNoChoice) = ending { continue }
      return ending
    }
  }

  private func showOnce(_ dialog: DialogCommand, _ activationToken: String?, on loop: EventLoop) async -> DialogEnding {
    var command = ChildProcess.Command(
      [name] + dialog.arguments, environment: environment.merging(Self.locale) { own, _ in own }, input: dialog.input)
    command.grace = .seconds(2)
    if let activationToken {
      command.environment["XDG_ACTIVATION_TOKEN"] = activationToken
      command.environment["DESKTOP_STARTUP_ID"] = activationToken
    }
    let answer = await ChildProcess.ask(command, on: loop)
    switch answer.ending {
    case .exited(0, _):
      guard let output = answer.output else { return .failed("\(name): the answer is too long") }
      return .agreed(output.hasSuffix("\n") ? String(output.dropLast()) : output)
    case .exited(cancellationStatus, _): return .cancelled
    case .exited(let status, _):
      let why = "\(name): exit \(status)"
      return mayBeUnfit ? .unfit(why) : .failed(why)
    case .signalled(let signal): return .failed("\(name): signal \(signal)")
    case .timedOut: return .closed
    case .running: return .failed("\(name): the end of the program cannot be observed")
    case .notStarted(let why): return .failed(why)
    }
  }

  /// In a locale without UTF-8, the programs refuse arguments that are not ASCII, and print question marks.
  private static var locale: [String: String] {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { EnvironmentVariable.value(of: $0) }.first?
      .lowercased()
    let isUTF8 = locale.map { $0.contains("utf-8") || $0.contains("utf8") } == true
    return isUTF8 ? [:] : ["LC_ALL": "C.UTF-8"]
  }
}
