// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Decides by ``QuietRule`` whether a due request waits for the end of quiet hours.
///
/// The desktop is asked about its *Do not disturb* only when something is due that would wait for it, and followed only
/// while something does.
final class QuietGate {
  private let loop: EventLoop
  private let agenda: Agenda
  private let desktop: Desktop.Quiet
  /// Called when what waits may come, or waits for something else.
  var whenChanged: () -> Void = {}
  /// Whether *Do not disturb* is on; nil if that is not known.
  private(set) var isDesktopQuiet: Bool?
  private var isFollowing = false

  init(on loop: EventLoop, agenda: Agenda, desktop: Desktop.Quiet) {
    self.loop = loop
    self.agenda = agenda
    self.desktop = desktop
  }

  private var book: QuietBook { agenda.quiet }

  /// What a due request waits for; nil if it comes now.
  func end(for due: Due) -> QuietEnd? {
    guard let end = end(for: due.request) else { return nil }
    // A louder showing of it may come before. One whose time has passed is planned by itself.
    guard let step = nextStepThatPasses(due), step * 1000 > agenda.time.wall.milliseconds else { return end }
    if case .at(let date) = end { return .at(min(date, step)) }
    return .at(step)
  }

  private func end(for request: NotificationRequest) -> QuietEnd? {
    if book.isEmpty { return nil }
    var rule = book.rule(for: request)
    if rule.passes { return nil }
    rule.causes = book.causes(of: request.app.text)
    if !rule.causes.areAny, book[nil].followsDesktop {
      if isDesktopQuiet == nil { follow() }
      rule.causes.isDesktopQuiet = isDesktopQuiet ?? true
    }
    return rule.wait
  }

  // MARK: Showings

  /// When the next step of its escalation whose level passes comes, in seconds since 1970. Nil if none does, or if it
  /// has not been shown yet: the steps count from the first showing.
  private func nextStepThatPasses(_ due: Due) -> Int64? {
    guard due.earlierShowings > 0, let steps = due.original.content.nag?.steps, due.step < steps.count,
      let number = due.record?.delivery, let record = try? agenda.store.delivery(number),
      let first = record.showings?.kept.first?.at
    else { return nil }
    for index in due.step..<steps.count
    where book.rule(for: due.original.escalated(to: index + 1)).passes {
      return (first.milliseconds + 999) / 1000 + steps[index].after.components.seconds
    }
    return nil
  }

  /// Whether another showing of the same notification is planned, because it has left the screen while this one waited.
  func comesAnyway(_ due: Due) -> Bool {
    guard due.earlierShowings > 0, let number = due.record?.delivery else { return false }
    return (try? agenda.store.delivery(number))?.again != nil
  }

  /// A due request with the step of its escalation that has come by now.
  func current(_ due: Due) -> Due {
    guard due.earlierShowings > 0, due.original.content.nag?.steps.isEmpty == false, let number = due.record?.delivery,
      let record = try? agenda.store.delivery(number),
      let step = record.comingStep(of: due.original, at: agenda.time.wall), step != due.step
    else { return due }
    return Due(due.original, as: record, missed: due.missed, isAgain: due.isAgain, asker: due.asker, step: step)
  }

  // MARK: The desktop

  private func follow() {
    if isFollowing { return }
    isFollowing = true
    loop.startLater { await self.followDesktop() }
  }

  private func followDesktop() async {
    var isQuiet = await desktop.isOn() == true
    while isQuiet, book[nil].followsDesktop {
      if isDesktopQuiet != true {
        isDesktopQuiet = true
        whenChanged()
      }
      isQuiet = !(await desktop.ended(.seconds(3600)))
    }
    isFollowing = false
    isDesktopQuiet = false
    whenChanged()
    // It is asked again when something else is due.
    isDesktopQuiet = nil
  }
}
