// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// The messages of one link on their way to the center, one after another. A message leaves it when the center has it
/// on disk, and only then does the link remember its id.
///
/// Confined to the loop's thread.
final class PushQueue {
  /// What the center is told.
  enum Item {
    case push(LinkPush)
    case withdraw(id: String, notification: String, app: String)
    /// Another message was answered, on the desktop of this name or on this one.
    case answered(id: String, message: String, name: String?, app: String)
    /// Nothing: the message is left out, and not to be read again.
    case skip(id: String)

    var id: String {
      switch self {
      case .push(let push): push.id
      case .withdraw(let id, _, _), .skip(let id), .answered(let id, _, _, _): id
      }
    }
  }

  private let record: LinkRecord
  private let receiver: any PushReceiver
  /// Nil if no pictures are fetched.
  private let pictures: PictureFetcher?
  private let loop: EventLoop
  private let most: Int
  private var allowance: MessageAllowance
  private var backoff: Backoff
  private var generator: any RandomNumberGenerator
  private var items: [Item] = []
  private var isCalling = false
  private var isStopped = false
  private var waiting: EventLoop.Deadline?

  /// Called with each message that has left, in order: the center has it on disk, or will not take it.
  var whenFinished: () -> Void = {}
  /// Called when there is room again, after ``isFull`` was true.
  var whenRoom: () -> Void = {}

  init(
    _ limits: LinkLimits, _ record: LinkRecord, to receiver: any PushReceiver, _ pictures: PictureFetcher? = nil,
    timing: LinkTiming, on loop: EventLoop
  ) {
    (self.record, self.receiver, self.pictures, self.loop) = (record, receiver, pictures, loop)
    most = limits.mostPending
    allowance = MessageAllowance(perMinute: limits.messagesPerMinute)
    backoff = Backoff(first: timing.firstPause, longest: timing.longestCenterPause)
    generator = timing.generator
  }

  var isFull: Bool { items.count >= most }
  /// The id of the last message that has come, whether the center has it or not.
  var lastID: String? { items.last?.id ?? record.state.lastID }

  func add(_ item: Item) {
    items.append(item)
    plan()
  }

  /// Ends the queue. What waits is read again from the server.
  func stop() {
    isStopped = true
    waiting?.cancel()
    items = []
  }

  /// The center may be there again.
  func retry() {
    guard let waiting, record.state.obstacle != nil else { return }
    waiting.cancel()
    self.waiting = nil
    if let item = items.first { begin(item) }
  }

  /// In a later turn, because libcurl may be calling.
  private func plan() { loop.performNext { [weak self] in self?.next() } }

  private func next() {
    guard !isStopped, !isCalling, waiting == nil, let item = items.first else { return }
    if case .skip = item { return finish(item) }
    if let pause = allowance.take(at: EventLoop.Clock.monotonic.now) {
      record.change { $0.floodedUntil = LinkRecord.now + pause.components.seconds + 60 }
      return wait(pause)
    }
    begin(item)
  }

  private func begin(_ item: Item) {
    isCalling = true
    loop.start { await self.call(item) }
  }

  private func call(_ first: Item) async {
    let item = await withPictures(first)
    if isStopped { return }
    let answer: PushAnswer
    switch item {
    case .push(let push): answer = await receiver.push(push)
    case .withdraw(_, let id, let app): answer = await receiver.withdraw([id], of: app)
    case .answered(_, let message, let name, let app):
      answer = await receiver.answered(message, of: app, by: name)
    case .skip: answer = .taken
    }
    isCalling = false
    if isStopped { return }
    switch answer {
    case .unavailable(let obstacle):
      record.change { $0.obstacle = obstacle }
      // The same message again, which takes nothing more of the allowance.
      return wait(backoff.next(using: &generator), toCall: item)
    case .refused(let reason): record.omit(.refused, because: reason)
    case .taken:
      if case .push = item {
        record.change {
          $0.count += 1
          $0.lastMessage = LinkRecord.now
        }
      }
    }
    backoff.reset()
    finish(item)
  }

  /// The same message with the files of its pictures, which are fetched once.
  private func withPictures(_ item: Item) async -> Item {
    guard let pictures, case .push(var push) = item, !push.pictures.isEmpty else { return item }
    push.files = await pictures.files(of: push.pictures)
    push.pictures = []
    if !isStopped { items[0] = .push(push) }
    return .push(push)
  }

  private func finish(_ item: Item) {
    let wasFull = isFull
    items.removeFirst()
    record.change {
      $0.lastID = item.id
      $0.obstacle = nil
    }
    plan()
    whenFinished()
    if wasFull, !isFull { whenRoom() }
  }

  /// - Parameter item: the message that is tried again; nil if the next one only has to wait.
  private func wait(_ pause: Duration, toCall item: Item? = nil) {
    waiting = loop.schedule(after: pause) { [weak self] in
      guard let self else { return }
      waiting = nil
      if let item { begin(item) } else { next() }
    }
  }
}
