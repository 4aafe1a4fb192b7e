// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Signals of D-Bus.
final class SignalSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let loop: EventLoop
  private let session: Connection
  private let system: SystemBusLink
  private var readers: [Condition.Subject: Reader] = [:]

  /// The task that watches a subject. A subject may be watched anew before the task of the last time has ended; signals
  /// that still reach that one do not count.
  private final class Reader {
    var task: Task<Void, Never>?
    /// Whether this watch has ended.
    var isOver = false
  }

  init(on loop: EventLoop, system: SystemBusLink, session: Connection) {
    self.loop = loop
    self.system = system
    self.session = session
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .signal = subject { true } else { false } }

  func watch(_ subject: Condition.Subject) {
    guard case .signal(let pattern) = subject, readers[subject] == nil else { return }
    guard let rule = MatchRule(pattern) else {
      return whenObserved(subject, .unknown("libdbus does not accept its names"))
    }
    let bus: SourceBus = pattern.isOfSystem ? .system(system) : .session(session)
    let reader = Reader()
    readers[subject] = reader
    reader.task = loop.startLater { [weak self, loop] in
      var retries = SystemBusLink.retries[...]
      while !Task.isCancelled {
        if let connection = await bus.acquire() {
          await self?.read(subject, pattern, rule, on: connection, as: reader)
          bus.release()
        }
        if Task.isCancelled { return }
        self?.whenObserved(subject, .unknown("the \(bus.name) cannot be reached"))
        guard let wait = retries.popFirst() else { return }
        try? await loop.sleep(for: wait)
      }
    }
  }

  func unwatch(_ subject: Condition.Subject) {
    guard let reader = readers.removeValue(forKey: subject) else { return }
    reader.isOver = true
    reader.task?.cancel()
  }

  /// The number of arguments that are looked at: libdbus's rules match no more.
  private static let mostArguments = 64

  /// Reports the signals that match, until the connection is closed or the task is cancelled.
  private func read(
    _ subject: Condition.Subject, _ pattern: Condition.SignalPattern, _ rule: MatchRule, on connection: Connection,
    as reader: Reader
  ) async {
    let (lasting, connectionEnd) = AsyncStream<Never>.makeStream()
    let report = loop.confine { [weak self] (signal: Signal) in
      guard let self, !reader.isOver else { return }
      let texts = signal.arguments.prefix(Self.mostArguments).map(\.plainText)
      let fits = pattern.arguments.allSatisfy { $0 < texts.count && texts[$0] == $1 }
      if fits { self.whenObserved(subject, .happened(event: Self.event(signal, texts))) }
    }
    do throws(CallError) {
      let watch = try await connection.listen(to: rule, tell: report) { connectionEnd.finish() }
      defer { watch.cancel() }
      if Task.isCancelled { return }
      whenObserved(subject, .holds(true))
      for await _ in lasting {}
    } catch {
      // The connection was closed, or the bus refuses the rule.
    }
  }

  private static let argumentNames = (0..<mostArguments).map { "arg\($0)" }

  private static func event(_ signal: Signal, _ texts: [String?]) -> EventDetails {
    // Has room for these two and the three that the center adds, so that it need not grow.
    var event = EventDetails(capacity: texts.count + 5)
    event.add("sender", signal.sender?.text ?? "")
    event.add("path", signal.path.text)
    for (name, text) in zip(argumentNames, texts) { if let text { event.add(name, text) } }
    return event
  }
}

extension MatchRule {
  fileprivate init?(_ pattern: Condition.SignalPattern) {
    guard let interface = InterfaceName(pattern.interface), let member = MemberName(pattern.member) else { return nil }
    self.init(interface: interface, member: member, firstArgument: pattern.arguments[0])
    if let text = pattern.sender {
      guard let sender = BusName(text) else { return nil }
      self.sender = sender
    }
    if let text = pattern.path {
      guard let path = ObjectPath(text) else { return nil }
      self.path = path
    }
  }
}

extension Value {
  /// A text or a number as a text; nil for other values.
  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .objectPath(let path): path.text
    case .boolean(let flag): "\(flag)"
    case .double(let number): "\(number)"
    case .variant(let value): value.plainText
    default: integer.map { "\($0)" }
    }
  }
}
