// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// Distributes the messages that wait in the center to the links that send.
///
/// Confined to the loop's thread.
final class Dispatch {
  private let center: any OutboxCenter
  private let loop: EventLoop
  private let calls: CallQueue
  /// Called when nothing waits, or the center does not answer.
  var whenIdle: () -> Void = {}
  private var links: [SendingLink] = []
  /// The links that send answers.
  private var answering: [SendingLink] = []
  private var isAsking = false
  private var mustAskAgain = false

  init(from center: any OutboxCenter, _ calls: CallQueue, on loop: EventLoop) {
    (self.center, self.calls, self.loop) = (center, calls, loop)
    calls.whenEmpty = { [weak self] in self?.refresh() }
  }

  /// Replaces the links that send; asks the center again if one was added or removed.
  func set(_ links: [SendingLink], answering: [SendingLink]) {
    let isNew = !links.elementsEqual(self.links, by: ===) || !answering.elementsEqual(self.answering, by: ===)
    (self.links, self.answering) = (links, answering)
    if isNew { refresh() }
  }

  /// Asks the center for its messages: there is a new one, the center is back, or the links have changed.
  func refresh() {
    if isAsking {
      mustAskAgain = true
      return
    }
    isAsking = true
    loop.start {
      repeat {
        self.mustAskAgain = false
        let items = await self.center.outgoing()
        if let items { await self.distribute(items) }
        if items?.isEmpty ?? true, !self.mustAskAgain { self.whenIdle() }
      } while self.mustAskAgain
      self.isAsking = false
    }
  }

  private func distribute(_ items: [OutgoingItem]) async {
    var numbers: [ObjectIdentifier: [UInt64]] = [:]
    var obstacles: [(UInt64, String)] = []
    calls.set(items.filter(\.isCall).map(\.number))
    for item in items where item.isAnswer {
      if let link = answering.first(where: { $0.name.text == item.link }) {
        numbers[ObjectIdentifier(link), default: []].append(item.number)
      } else {
        obstacles.append((item.number, "the link '\(item.link ?? "")' sends no answers any more"))
      }
    }
    for item in items where !item.isCall && !item.isAnswer {
      switch Self.link(for: item, of: links) {
      case .success(let link): numbers[ObjectIdentifier(link), default: []].append(item.number)
      case .failure(let obstacle): obstacles.append((item.number, obstacle.text))
      }
    }
    for link in links + answering { link.set(numbers[ObjectIdentifier(link)] ?? []) }
    for (number, text) in obstacles { _ = await center.finish(number, as: .waiting(text)) }
  }

  func stop() { calls.stop() }

  private struct Obstacle: Error { let text: String }

  private static func link(for item: OutgoingItem, of links: [SendingLink]) -> Result<SendingLink, Obstacle> {
    if let name = item.link {
      if let link = links.first(where: { $0.name.text == name }) { return .success(link) }
      return .failure(Obstacle(text: "no link '\(name)' sends; see 'suzu link add --send'"))
    }
    switch links.count {
    case 0: return .failure(Obstacle(text: "no link sends; see 'suzu link add --send'"))
    case 1: return .success(links[0])
    default:
      let names = links.map(\.name.text).sorted().prefix(5).joined(separator: ", ")
      return .failure(Obstacle(text: "several links send; the step must name one of \(names)"))
    }
  }
}
