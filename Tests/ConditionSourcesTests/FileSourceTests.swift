// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// Tests files, with the kernel's inotify.
@Suite(.timeLimit(.minutes(1))) struct FileSourceTests {
  @Test func `A file comes and goes`() async throws {
    try await onItsLoop { loop in
      let folder = try TemporaryFolder()
      let source = FileSource(on: loop)
      let path = folder.path("done")
      let reader = try source.observations(of: "file '\(path)'")
      let event: EventDetails = ["path": path, "name": "done"]
      #expect(await reader.next() == .holds(false, event: event))
      try folder.write("", to: "done")
      #expect(await reader.next() == .holds(true, event: event))
      try FileManager.default.removeItem(atPath: path)
      #expect(await reader.next() == .holds(false, event: event))
      source.unwatch(.file(path))
    }
  }

  @Test func `A folder that does not exist yet is followed when it comes`() async throws {
    try await onItsLoop { loop in
      let folder = try TemporaryFolder()
      let source = FileSource(on: loop)
      let path = folder.path("usb/photos/new.jpg")
      let reader = try source.observations(of: "file '\(path)'")
      #expect(await reader.next() == .holds(false, event: ["path": path, "name": "new.jpg"]))
      try folder.write("", to: "usb/photos/new.jpg")
      var last = await reader.next()
      while last == .holds(false, event: ["path": path, "name": "new.jpg"]) { last = await reader.next() }
      #expect(last == .holds(true, event: ["path": path, "name": "new.jpg"]))
      source.unwatch(.file(path))
    }
  }

  @Test func `Each write is an event, and other changes are not`() async throws {
    try await onItsLoop { loop in
      let folder = try TemporaryFolder()
      let source = FileSource(on: loop)
      let path = folder.path("log")
      try folder.write("1", to: "log")
      let reader = try source.observations(of: "file '\(path)' changes")
      let exists = try source.observations(of: "file '\(path)'")
      #expect(await exists.next() == .holds(true, event: ["path": path, "name": "log"]))
      // Another file, and other rights: no write.
      try folder.write("x", to: "other")
      chmod(path, 0o600)
      #expect(await exists.next() == .holds(true, event: ["path": path, "name": "log"]))
      try folder.write("22", to: "log")
      #expect(await reader.next() == .happened(event: ["path": path, "name": "log"]))
      try FileManager.default.removeItem(atPath: path)
      try folder.write("333", to: "log")
      #expect(await reader.next() == .happened(event: ["path": path, "name": "log"]))
      source.unwatch(.file(path))
      source.unwatch(.fileChange(path))
    }
  }

  @Test func `Nothing is watched once no request waits`() async throws {
    try await onItsLoop { loop in
      let folder = try TemporaryFolder()
      let before = OpenDescriptors.count
      let source = FileSource(on: loop)
      for number in 0..<100 { _ = try source.observations(of: "file '\(folder.path("\(number)"))'") }
      #expect(OpenDescriptors.count == before + 1)
      for number in 0..<100 { source.unwatch(.file(folder.path("\(number)"))) }
      #expect(OpenDescriptors.count == before)
    }
  }
}
