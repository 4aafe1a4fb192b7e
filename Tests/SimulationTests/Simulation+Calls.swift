// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling

@testable import suzud

/// The calls of programs.
extension Simulation {
  enum Call {
    case notify(RequestSpec, Waiting.Date?, Moment, boots: Int)
    case cancel(String)
  }

  func notify(_ spec: RequestSpec) {
    guard let center, !center.isDead, bus.isUp else { return }
    let now = moment
    let local = LocalTime.zone(spec.zone ?? model.zone)
    let today = local.wall(at: now.wall / 1000) / 86_400
    let words = spec.words(date: { CivilDay(number: today + Int64($0)) }) { day, minute in
      local.instant(ofWall: day.number * 86_400 + Int64(minute) * 60)
    }
    let date = Swift.Result { () throws(Model.RefusedDate) in try model.date(of: spec, now) }
    lastCall += 1
    let call = lastCall
    if case .success(let date) = date { calls[call] = .notify(spec, date, now, boots: machine.boots) }
    let request: NotificationRequest
    do { request = try NotificationRequest(words) } catch {
      return model.fail("\(words) cannot be read: \(error)")
    }
    center.notify(request) { [self] error in
      // It may have come to the screen before its caller was answered.
      let isOpen = calls.removeValue(forKey: call) != nil
      look()
      switch (date, error) {
      case (.success(let date), nil): if isOpen { model.accepted(spec, date, made: now.now) }
      case (.success, _?) where model.mayRefuse: break
      case (.success, let error?): model.fail("'\(spec.title)' is refused: \(error); \(words)")
      case (.failure, nil): model.fail("'\(spec.title)' is accepted and should be refused; \(words)")
      case (.failure, _?): break
      }
      look()
    }
  }

  func cancel(_ id: String) {
    guard let center, !center.isDead, bus.isUp else { return }
    lastCall += 1
    let call = lastCall
    calls[call] = .cancel(id)
    center.cancel(RequestSpec.app, id) { [self] error in
      calls[call] = nil
      look()
      guard let error else { return model.cancelled(id) }
      note("'\(id)' is not cancelled")
      if !model.mayRefuse { model.fail("'\(id)' is not cancelled: \(error)") }
    }
  }

  /// For what the requests wait whose dates the earlier center may not have recorded.
  func settleDates() {
    guard let center else { return }
    model.settle(moment) { key in
      center.nextDate(RequestSpec.app, key)
    } past: { key in
      center.pastDates(RequestSpec.app, key).map(\.milliseconds)
    }
  }

  /// What the calls came to that the earlier center had not answered.
  func settleCalls() {
    guard let center else { return }
    for number in calls.keys.sorted() {
      switch calls[number] {
      case .notify(let spec, let date, let made, let boots)?:
        let stored = center.waits(RequestSpec.app, spec.id)
        if stored?.payload.contains("\"\(spec.title)\"") == true {
          let offset = made.wall - made.elapsed
          model.accepted(
            spec, boots == machine.boots ? date : model.date(date, foundAt: offset), made: made.now,
            isAnswered: false)
        }
      case .cancel(let id)?:
        for key in Model.keys(of: id) {
          let stored = center.waits(RequestSpec.app, key)
          // One that still waited for its date would have ended. One that has come may have come at this start.
          if stored == nil { model.waiting[key] = nil }
          if stored?.wait == nil { model.perhapsCancelled(key) }
        }
      case nil: break
      }
    }
    calls = [:]
  }
}
