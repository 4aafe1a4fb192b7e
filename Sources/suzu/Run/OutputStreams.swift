// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import SystemFiles

/// The standard output and error of a command: the ways that they take, and what is kept of them.
///
/// Confined to the loop's thread.
final class OutputStreams {
  private let loop: EventLoop
  private let routes: [(descriptor: Int32, route: OutputRoute)]
  /// Output and error in one, if both lead to the same place: the order of their lines matters.
  private let areOne: Bool
  private var links: [Int32: OutputEnds] = [:]
  private var channels: [OutputChannel] = []
  private var kept = KeptOutput(atMost: RunRecord.longestOutput)
  private var errors = KeptOutput(atMost: 16 << 10)
  private var hasKept = false
  private var progress = ProgressReader()

  /// Receives the progress in percent whenever output was read; without it, the output is not searched.
  var whenProgress: ((Int?) -> Void)?

  init(keeping kept: KeptStreams, on loop: EventLoop) {
    self.loop = loop
    areOne = OutputRoute.leadToSamePlace(STDOUT_FILENO, STDERR_FILENO)
    routes = [STDOUT_FILENO, STDERR_FILENO].map { ($0, OutputRoute(of: $0, keeping: kept)) }
    for (descriptor, route) in routes where route == .pipe || route == .terminal {
      if areOne, descriptor == STDERR_FILENO, let shared = links[STDOUT_FILENO] {
        links[descriptor] = shared
      } else if let link = OutputLink.make(route, like: descriptor) {
        links[descriptor] = OutputEnds(link)
      }
    }
  }

  /// What the command writes to instead of our descriptors.
  var descriptors: [(number: Int32, of: Int32)] { links.map { ($0.key, $0.value.writing) }.sorted { $0.0 < $1.0 } }

  /// Begins to copy. The command has its ends now, so that ours close, and the end of the last writer is noticed.
  func begin(with command: RunningCommand) {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      guard let ends = links[descriptor], let link = ends.take(),
        let channel = try? OutputChannel(link, to: descriptor, on: loop)
      else { continue }
      hasKept = true
      let isError = descriptor == STDERR_FILENO || areOne
      channel.whenRead = { [unowned self] in read($0, isError: isError) }
      channels.append(channel)
    }
    links = [:]
    for channel in channels {
      channel.whenBroken = { [weak self, weak channel] in self?.channels.removeAll { $0 === channel } }
    }
    command.whenResized = { [weak self] in
      guard let self else { return }
      for channel in self.channels { channel.copySize() }
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer, isError: Bool) {
    kept.append(bytes)
    if isError { errors.append(UnsafeRawBufferPointer(rebasing: bytes.suffix(errors.limit))) }
    guard let whenProgress else { return }
    progress.append(bytes)
    whenProgress(progress.percent)
  }

  /// What is known of the output of a command that has ended.
  struct Result {
    /// The end of the output; nil if none was kept.
    var kept: KeptOutput?
    /// The last line of the errors.
    var lastLine: String?
  }

  /// Copies the rest, once the command has ended.
  func finish() async -> Result {
    for channel in channels { await channel.finish() }
    channels = []
    for (descriptor, route) in routes {
      guard case .file(let start) = route, !(areOne && descriptor == STDERR_FILENO),
        let written = OutputRoute.written(to: descriptor, from: start, atMost: kept.limit)
      else { continue }
      hasKept = true
      kept.append(written.bytes)
      kept.skip(written.total - written.bytes.count)
      if areOne || descriptor == STDERR_FILENO { errors.append(written.bytes) }
    }
    return Result(kept: hasKept ? kept : nil, lastLine: errors.lastLine)
  }
}

/// Holds a link until the command has been started; two descriptors may share it.
private final class OutputEnds {
  private var link: OutputLink?

  init(_ link: consuming OutputLink) { self.link = consume link }

  var writing: Int32 { link?.writing.number ?? -1 }

  /// The part that is read, once: the other one is closed.
  func take() -> Descriptor? {
    guard let link = link.take() else { return nil }
    return link.reading
  }
}
