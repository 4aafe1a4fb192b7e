// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import NotificationModel
import Scheduling
import SystemFiles
import TestSupport
import Testing

@testable import ConditionSources

/// Tests devices, with a folder in the place of udev's and a socket in the place of the kernel's: no device is plugged
/// in here.
@Suite(.timeLimit(.minutes(1))) struct DeviceSourceTests {
  /// A message as udev sends it.
  private static func message(_ properties: KeyValuePairs<String, String>) -> [UInt8] {
    let body = properties.flatMap { Array("\($0)=\($1)\0".utf8) }
    func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value)) { Array($0) } }
    return Array("libudev\0".utf8) + [0xfe, 0xed, 0xca, 0xfe] + number(40) + number(40) + number(body.count)
      + [UInt8](repeating: 0, count: 16) + body
  }

  @Test func `A device is found in the database, and followed by messages`() async throws {
    try await onItsLoop { loop in
      let folder = try TemporaryFolder()
      try folder.write("I:1\nE:ID_VENDOR=Yubico\nE:ID_MODEL=Key_5\nG:seat\n", to: "data/c189:7")
      try folder.write("E:ID_VENDOR=Other\n", to: "data/c189:8")
      var ends: [Int32] = [0, 0]
      #expect(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
      let (mine, kernel) = (ends[0], ends[1])
      let source = DeviceSource(on: loop, folder: folder.path("")) { () throws(Errno) in mine }
      let subject = try Condition("device ID_VENDOR=Yubico").subject
      let reader = try source.observations(of: "device ID_VENDOR=Yubico")
      let event: EventDetails = ["name": "Key 5", "ID_VENDOR": "Yubico", "ID_MODEL": "Key_5"]
      #expect(await reader.next() == .holds(true, event: event))
      func say(_ bytes: [UInt8]) { #expect(send(kernel, bytes, bytes.count, 0) == bytes.count) }
      // Another device, and things that are no messages.
      say(Self.message(["ACTION": "remove", "SUBSYSTEM": "usb", "MAJOR": "189", "MINOR": "8"]))
      say(Array("libudev\0".utf8))
      say(Self.message(["ACTION": "remove", "SUBSYSTEM": "usb", "MAJOR": "189", "MINOR": "7"]).dropLast(3) + [1])
      say([UInt8](repeating: 0xff, count: 5000))
      say(Self.message(["ACTION": "remove", "SUBSYSTEM": "usb", "MAJOR": "189", "MINOR": "7", "ID_VENDOR": "Yubico"]))
      #expect(await reader.next() == .holds(false, event: ["name": "c189:7", "ID_VENDOR": "Yubico"]))
      say(
        Self.message([
          "ACTION": "add", "SUBSYSTEM": "usb", "DEVPATH": "/devices/usb1/1-1", "ID_VENDOR": "Yubico",
          "ID_MODEL": "Key_5", "DRIVER": "usb",
        ]))
      #expect(await reader.next() == .holds(true, event: event))
      source.unwatch(subject)
      close(kernel)
    }
  }

  @Test func `Without udev the reason is told`() async throws {
    try await onItsLoop { loop in
      let source = DeviceSource(on: loop, folder: "/nonexistent")
      var observations: [Observation] = []
      source.whenObserved = { observations.append($1) }
      source.watch(try Condition("device ID_VENDOR=Yubico").subject)
      #expect(observations == [.unknown("udev is not running")])
    }
  }

  @Test func `The kernel's socket can be opened without rights`() throws {
    let descriptor = try UdevMessage.socket()
    #expect(descriptor >= 0)
    close(descriptor)
  }
}
