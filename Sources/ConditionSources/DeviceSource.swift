// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Scheduling
internal import SystemFiles

/// Devices that are plugged in, by the messages and the database of udev.
final class DeviceSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let loop: EventLoop
  /// The folder with udev's database.
  private let folder: String
  /// Opens a socket that gets udev's messages.
  private let open: () throws(Errno) -> Int32
  private var subjects: Set<Condition.Subject> = []
  /// The names in the database of the devices that match, by subject.
  private var present: [Condition.Subject: Set<String>] = [:]
  private var listening: Listening?

  private struct Listening {
    let descriptor: Int32
    let watch: EventLoop.DescriptorWatch
  }

  init(
    on loop: EventLoop, folder: String = "/run/udev", open: @escaping () throws(Errno) -> Int32 = UdevMessage.socket
  ) {
    self.loop = loop
    self.folder = folder
    self.open = open
  }

  func observes(_ subject: Condition.Subject) -> Bool { if case .device = subject { true } else { false } }

  func watch(_ subject: Condition.Subject) {
    guard case .device(let property, let value) = subject else { return }
    subjects.insert(subject)
    guard FileStatus.isFolder(folder + "/data") else { return whenObserved(subject, .unknown("udev is not running")) }
    if listening == nil, let problem = listen() {
      return whenObserved(subject, .unknown("udev's messages cannot be received: \(problem)"))
    }
    // Listening first: a device that comes meanwhile is in the database or in a message.
    var event = EventDetails()
    for entry in Folder(folder + "/data").entries() {
      guard let bytes = try? RegularFile.read(folder + "/data/" + entry.name, limit: 64 << 10) else { continue }
      let properties = UdevMessage.database(bytes)
      guard properties[property] == value else { continue }
      present[subject, default: []].insert(entry.name)
      event = Self.event(properties, entry.name)
    }
    whenObserved(subject, .holds(present[subject]?.isEmpty == false, event: event))
  }

  func unwatch(_ subject: Condition.Subject) {
    subjects.remove(subject)
    present[subject] = nil
    guard subjects.isEmpty, let listening else { return }
    listening.watch.cancel()
    close(listening.descriptor)
    self.listening = nil
  }

  /// Returns what prevents it; nil if nothing does.
  private func listen() -> String? {
    let descriptor: Int32
    do throws(Errno) { descriptor = try open() } catch { return "\(error)" }
    do throws(EventLoopError) {
      let watch = try loop.watch(descriptor, for: .readable) { [weak self] _ in self?.receive() }
      listening = Listening(descriptor: descriptor, watch: watch)
      return nil
    } catch {
      close(descriptor)
      return "\(error)"
    }
  }

  private func receive() {
    guard let descriptor = listening?.descriptor else { return }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count > 0, let message = UdevMessage(bytes[..<count]) { take(message) }
    // The queue overflowed: the database has what was lost.
    if count < 0, errno == ENOBUFS {
      present = [:]
      for subject in subjects { watch(subject) }
    }
  }

  private func take(_ message: UdevMessage) {
    for subject in subjects {
      guard case .device(let property, let value) = subject else { continue }
      let isMatch = message.action != "remove" && message.properties[property] == value
      let before = present[subject]?.isEmpty == false
      if isMatch { present[subject, default: []].insert(message.name) } else { present[subject]?.remove(message.name) }
      let holds = present[subject]?.isEmpty == false
      if holds != before { whenObserved(subject, .holds(holds, event: Self.event(message.properties, message.name))) }
    }
  }

  /// The properties of the device; its model is the name, if it has one.
  private static func event(_ properties: [String: String], _ name: String) -> EventDetails {
    var event = properties.filter { $0.key.hasPrefix("ID_") }
    event["name"] = properties["ID_MODEL_FROM_DATABASE"] ?? properties["ID_MODEL"]?.replacing("_", with: " ") ?? name
    return EventDetails(event)
  }
}
