// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling

@testable import DBus
@testable import Freedesktop
@testable import suzud

/// The signals of a notification server, each in a line as ``WireText``: with wrong types, of unknown numbers, late and
/// doubled. Other lines are what happens between them:
///
///     post           the center asks the server to show a notification
///     again N        it asks the server to show the notification N again
///     answer N       the server answers the oldest of these calls with the number N
///     gone           the server ends
struct SignalSurface {
  static func read(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    var surface = SignalSurface()
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(400) { try surface.take(line) }
    surface.state.forgetServer().forEach { surface.state.remove($0) }
    try surface.countEnds()
    return surface.events > 0
  }

  private static let server: BusName = ":1.9"
  /// The buttons of every notification.
  private static let offer = OfferedActions(
    json: #"{"keys": {"default": "default", "ok": "ok", "more": true, "none": false, "5": ["later", "5m"]}}"#)

  private var state = ScreenState()
  private var early = EarlyEvents()
  private var posting: [RequestKey] = []
  private var made = 0
  private var now: Duration = .zero
  /// Signals that were what they seem.
  private var events = 0
  /// What each delivery has had.
  private var uses: [DeliveryRecord.Number: Int] = [:]
  private var ends: [DeliveryRecord.Number: Int] = [:]
  private var showings: [DeliveryRecord.Number: Int] = [:]

  private mutating func take(_ line: ArraySlice<UInt8>) throws(Surprise) {
    now += .milliseconds(200)
    var text = WireText(line)
    let word = text.word()
    switch word {
    case "post": post()
    case "again": if let number = number(text.word()) { showAgain(number) }
    case "answer": if let number = number(text.word()) { try answer(number) }
    case "gone": end()
    default:
      guard let member = MemberName(word), let values = text.values() else { break }
      try receive(member, values)
    }
    try countEnds()
  }

  private func number(_ text: String) -> PostedNumber? {
    UInt32(text).map { PostedNumber(server: Self.server, number: $0) }
  }

  // MARK: Signals

  private mutating func receive(_ member: MemberName, _ values: [Value]) throws(Surprise) {
    let header = MessageHeader(Signal(NotificationsBus.path, NotificationsBus.interface, member))
    guard let message = try WireMessage(header, values), let arguments = try message.values() else { return }
    let signal = Signal(NotificationsBus.path, NotificationsBus.interface, member, arguments)
    guard let event = NotificationServerClient.event(signal, from: Self.server) else { return }
    let codes = arguments.map(\.type.code).joined()
    try Surprise.unless(["us", "uu"].contains(codes), "a signal with the types '\(codes)' became \(event)")
    events += 1
    try handle(event)
  }

  private mutating func handle(_ event: ServerEvent) throws(Surprise) {
    switch event {
    case .appeared, .vanished: throw Surprise("a signal became \(event)")
    case .activationToken(let number, let token): if isKnown(number, event) { state.keepToken(token, for: number) }
    case .actionInvoked(let number, let key):
      guard isKnown(number, event), let (shown, choice) = state.use(number, key: key, at: now) else { break }
      try Surprise.unless(Self.offer.keys[key] == choice, "'\(key)' was not offered and became \(choice)")
      switch choice {
      case .action, .time: try use(shown, number)
      case .times, .chooser, .nothing: break
      }
    case .replied(let number, _):
      if isKnown(number, event), let shown = state.useUp(number) { try use(shown, number) }
    case .closed(let number, let reason):
      guard isKnown(number, event) else { break }
      if reason != .expired, let key = state.reopen(number, at: now) {
        ask(key)
      } else if !state.holdEnd(number, .dismissed), state.isBeingReplaced(number) || state.shown(number) != nil {
        state.leaveScreen(number, at: now, because: .dismissed)
      }
    }
    try Surprise.unless(
      early.counts.count <= EarlyEvents.mostNumbers && early.counts.allSatisfy { $0 <= EarlyEvents.mostOfANumber },
      "early events of \(early.counts) are kept")
  }

  private mutating func isKnown(_ number: PostedNumber, _ event: ServerEvent) -> Bool {
    if state.postings[number] != nil { return true }
    if !posting.isEmpty { early.keep(event, of: number) }
    return false
  }

  /// A response: the only one of its notification.
  private mutating func use(_ shown: ShownNotification, _ number: PostedNumber) throws(Surprise) {
    guard let delivery = shown.due.record?.delivery else { return }
    uses[delivery, default: 0] += 1
    try Surprise.unless(uses[delivery] == 1, "the notification \(delivery) was answered \(uses[delivery] ?? 0) times")
    if !state.isBeingReplaced(number) { state.leaveScreen(number, at: now, because: .withdrawn) }
  }

  // MARK: The center

  private mutating func post() {
    made += 1
    guard let id = try? RequestID("\(made % 3)"),
      let request = try? NotificationRequest(app: "org.example.Tea", id: id, title: "Tea")
    else { return }
    let number = Int64(made)
    let due = Due(
      request, record: Due.Record(delivery: .init(number), revision: .init(number)), date: Timestamp(milliseconds: 0))
    let key = RequestKey(due)
    _ = state.add(due, as: key)
    ask(key)
  }

  /// The server is asked to show it.
  private mutating func ask(_ key: RequestKey) {
    state.setStage(.posting, of: key)
    if !posting.contains(key) { posting.append(key) }
    if let delivery = state[key]?.due.record?.delivery { showings[delivery, default: 0] += 1 }
  }

  private mutating func showAgain(_ number: PostedNumber) {
    guard let key = state.shown(number) else { return }
    state.reshow(key, replacing: number)
    ask(key)
  }

  private mutating func answer(_ number: PostedNumber) throws(Surprise) {
    guard let key = posting.first else { return }
    posting.removeFirst()
    _ = state.show(key, as: number, offer: Self.offer, at: now)
    for event in early.take(of: number) { try handle(event) }
  }

  private mutating func end() {
    early.forgetAll()
    for key in state.forgetServer() where state[key]?.isPending == false { state.remove(key) }
  }

  private mutating func countEnds() throws(Surprise) {
    for ended in state.takeEnded() {
      guard let delivery = ended.delivery else { continue }
      ends[delivery, default: 0] += 1
      // `Ends` lets the first one count; each showing has one at most.
      let (count, most) = (ends[delivery] ?? 0, showings[delivery] ?? 0)
      try Surprise.unless(
        count <= most, "the notification \(delivery) was shown \(most) times, and ended \(count) times")
    }
  }
}
