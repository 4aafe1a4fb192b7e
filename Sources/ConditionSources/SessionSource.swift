// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Whether the session is unlocked, and when the machine resumes from sleep.
final class SessionSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let loop: EventLoop
  private let lock: SessionLock
  private let system: BusAddress?
  private var readers: [Condition.Subject: Task<Void, Never>] = [:]

  private static let noBus = "the system bus cannot be reached"

  init(on loop: EventLoop, system: BusAddress?, session: Connection) {
    self.loop = loop
    self.system = system
    lock = SessionLock(on: session, system: system)
  }

  func observes(_ subject: Condition.Subject) -> Bool { subject == .unlocked || subject == .awake }

  func watch(_ subject: Condition.Subject) {
    readers[subject] = loop.startLater { [weak self, loop, lock, system] in
      if subject == .awake {
        for await event in MachineEvents.events(on: loop, from: system) {
          if Task.isCancelled { return }
          if event == .unreachable { self?.whenObserved(subject, .unknown(Self.noBus)) }
          if event == .listening { self?.whenObserved(subject, .holds(false)) }
          if event == .resumed { self?.whenObserved(subject, .happened()) }
        }
        if !Task.isCancelled { self?.whenObserved(subject, .unknown(Self.noBus)) }
      } else {
        for await state in lock.states() {
          if Task.isCancelled { return }
          self?.whenObserved(subject, Self.observation(state))
        }
      }
    }
  }

  private static func observation(_ state: SessionLock.State) -> Observation {
    switch state {
    case .locked: .holds(false)
    case .unlocked: .holds(true)
    // No change: the session was not unlocked because a service answers again.
    case .unknown(let source): .unknown("\(source) does not tell whether the session is locked")
    }
  }

  func unwatch(_ subject: Condition.Subject) { readers.removeValue(forKey: subject)?.cancel() }
}
