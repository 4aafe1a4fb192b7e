// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests method calls: errors, time limits, cancellation, order and forged answers.
@Suite(.timeLimit(.minutes(1))) struct CallTests {
  // MARK: Errors

  @Test func `A peer's refusal keeps its name and its text`() async throws {
    let refuse = Method("Refuse") { _ in throw RemoteError("dev.suzu.Error.NotFound", "no \"such\" thing, 世界") }
    try await Peers.withPair(PrivateBus(), [refuse]) { _, client in
      let error = await client.failure(of: Peers.call("Refuse"))
      #expect(error == .refused(RemoteError("dev.suzu.Error.NotFound", "no \"such\" thing, 世界")))
      #expect(error?.description == "dev.suzu.Error.NotFound: no \"such\" thing, 世界")
      #expect(error?.failureCode == nil)
    }
  }

  @Test func `A call to a name without an owner or a service fails with ServiceUnknown`() async throws {
    try await Peers.withPair(PrivateBus()) { _, client in
      let absent = MethodCall(to: "dev.suzu.Absent", "/", "dev.suzu.Test1", "X")
      #expect(await client.failure(of: absent)?.isRefusal(.serviceUnknown) == true)
      let gone = MethodCall(to: ":1.4711", "/", "dev.suzu.Test1", "X")
      #expect(await client.failure(of: gone)?.isRefusal(.serviceUnknown) == true)
      var unstarted = absent
      unstarted.object.startsService = false
      #expect(await client.failure(of: unstarted)?.isRefusal(.nameHasNoOwner) == true)
    }
  }

  @Test func `A call to a peer that vanishes fails with NoReply`() async throws {
    let (called, asked) = (Door(), Door())
    let hang = Method("Hang") { _ in
      called.open()
      await asked.wait()
      return []
    }
    try await Peers.withPair(PrivateBus(), [hang]) { server, client in
      async let failure = client.failure(of: Peers.call("Hang"))
      await called.wait()
      await server.close()
      #expect(await failure?.isRefusal(.noReply) == true)
      asked.open()
    }
  }

  // MARK: Time limits

  @Test func `A call that takes too long times out, and its late answer is delivered`() async throws {
    let answering = Door()
    let slow = Method("Slow", out: ["answer": "s"]) { _ in
      await answering.wait()
      return ["late"]
    }
    try await Peers.withPair(PrivateBus(), [slow]) { _, client in
      let (late, heard) = AsyncStream.makeStream(of: Result<[Value], CallError>.self)
      let error = await client.failure(of: Peers.call("Slow"), limit: .milliseconds(20)) { heard.yield($0) }
      #expect(error?.failureCode == .timedOut)
      #expect(error?.description.contains("'dev.suzu.Test' did not answer 'Slow'") == true)
      answering.open()
      var iterator = late.makeAsyncIterator()
      #expect(await iterator.next() == .success(["late"]))
    }
  }

  @Test func `A limit of zero times out at once, and the longest limit does not`() async throws {
    let end = Door()
    let hang = Method("Hang") { _ in
      await end.wait()
      return []
    }
    try await Peers.withPair(PrivateBus(), [hang, Peers.echo]) { _, client in
      for limit: Duration in [.zero, .seconds(-1)] {
        #expect(await client.failure(of: Peers.call("Hang"), limit: limit)?.failureCode == .timedOut)
      }
      let reply = try await client.call(Peers.call("Echo", [.variant("x")]), limit: .seconds(Int64.max))
      #expect(reply == [.variant("x")])
      end.open()
    }
  }

  @Test func `The number of awaited late answers is limited`() async throws {
    let answering = Door()
    let slow = Method("Slow", in: ["number": "i"], out: ["number": "i"]) { call in
      await answering.wait()
      return call.arguments
    }
    let late = Notes<Int64>()
    let enough = Door()
    try await Peers.withPair(PrivateBus(limits: Peers.sessionLimits), [slow]) { _, client in
      await withTaskGroup { group in
        for number in 0..<1100 {
          group.addTask {
            _ = try? await client.call(Peers.call("Slow", [.int32(Int32(number))]), limit: .zero) { reply in
              if case .success(let values) = reply { late.add(values[0].integer ?? -1) }
              if late.all.count == 1024 { enough.open() }
            }
          }
        }
      }
      answering.open()
      await enough.wait()
      // A second answer would have arrived before the answer to this later call.
      try await client.call(Peers.call("Slow", [.int32(0)]))
      #expect(late.all.count == 1024)
    }
  }

  // MARK: Cancellation

  @Test func `A cancelled task sends no call`() async throws {
    let calls = Notes<String>()
    let note = Method("Note") { _ in
      calls.add("called")
      return []
    }
    try await Peers.withPair(PrivateBus(), [note, Peers.echo]) { _, client in
      let begin = Door()
      let task = Task {
        await begin.wait()
        return await client.failure(of: Peers.call("Note"))
      }
      task.cancel()
      begin.open()
      #expect(await task.value?.failureCode == .cancelled)
      _ = try await client.call(Peers.call("Echo", [.variant("after")]))
      #expect(calls.all == [])
    }
  }

  @Test func `Cancelling a task ends its call`() async throws {
    let (called, end) = (Door(), Door())
    let hang = Method("Hang") { _ in
      called.open()
      await end.wait()
      return []
    }
    try await Peers.withPair(PrivateBus(), [hang]) { _, client in
      let task = Task { await client.failure(of: Peers.call("Hang")) }
      await called.wait()
      task.cancel()
      #expect(await task.value?.failureCode == .cancelled)
      end.open()
    }
  }

  @Test func `Cancelling at any moment resumes every call once`() async throws {
    // A continuation that is resumed twice, or never, would end the process or this test.
    try await Peers.withPair(PrivateBus(), [Peers.echo]) { _, client in
      var outcomes: [String: Int] = [:]
      for round in 0..<500 {
        let task = Task { await client.failure(of: Peers.call("Echo", [.variant("x")]), limit: .milliseconds(1)) }
        for _ in 0..<(round % 40) { await Task.yield() }
        task.cancel()
        outcomes[await task.value?.failureCode?.rawValue ?? "answered", default: 0] += 1
      }
      #expect(outcomes.values.reduce(0, +) == 500)
      #expect(outcomes["cancelled", default: 0] > 0)
    }
  }

  // MARK: Many

  @Test func `Ten thousand concurrent calls each get their own answer`() async throws {
    let order = Notes<Int64>()
    let count = Method("Count", in: ["number": "i"], out: ["number": "i"]) { call in
      order.add(call.arguments[0].integer ?? -1)
      return call.arguments
    }
    try await Peers.withPair(PrivateBus(limits: Peers.sessionLimits), [count]) { _, client in
      let right = await withTaskGroup { group in
        for number in 0..<10_000 {
          group.addTask {
            let value = Value.int32(Int32(number))
            return (try? await client.call(Peers.call("Count", [value]))) == [value]
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(right == 10_000)
      let isComplete = order.all.sorted() == Array(0..<10_000)
      #expect(isComplete)
    }
  }

  @Test func `Handlers begin in the order of the calls`() async throws {
    let order = Notes<Int64>()
    let last = Door()
    let note = Method("Note", in: ["number": "i"]) { call in
      let number = call.arguments[0].integer ?? -1
      order.add(number)
      if number == 999 { last.open() }
      await last.wait()  // none of them ends before all have begun
      return []
    }
    try await Peers.withPair(PrivateBus(), [note]) { _, client in
      for number in 0..<1000 { try await client.post(Peers.call("Note", [.int32(Int32(number))])) }
      await last.wait()
      let isInOrder = order.all == Array(0..<1000)
      #expect(isInOrder)
    }
  }

  @Test func `A call that wants no reply gets neither a reply nor an error`() async throws {
    let bus = try PrivateBus()
    let called = Door()
    let note = Method("Note") { _ in
      called.open()
      return []
    }
    try await Peers.withPair(bus, [note, Peers.echo]) { _, client in
      let monitor = try RunningProgram(
        "dbus-monitor", ["--session", "type='error'", "type='method_return'"], environment: bus.environment)
      _ = monitor.readLines(until: "NameAcquired")
      _ = monitor.readLines(until: "NameLost")
      try await client.post(Peers.call("Note"))
      await called.wait()
      try await client.post(Peers.call("Nothing"))
      try bus.dbusSend(["--dest=dev.suzu.Test", "/dev/suzu/Test", "dev.suzu.Test1.Nothing"])
      _ = try await client.call(Peers.call("Echo", [.variant("the first answer")]))
      let lines = try #require(monitor.readLines(until: "the first answer"))
      let server = try #require(try await client.owner(of: Peers.name))
      #expect(lines.filter { $0.contains("sender=\(server) ") }.count == 1, "\(lines)")
      monitor.signal(SIGTERM)
    }
  }

  // MARK: Forgery

  @Test func `A forged answer of a third peer is ignored`() async throws {
    let bus = try PrivateBus()
    let (called, forged) = (Door(), Door())
    let slow = Method("Slow", out: ["answer": "s"]) { _ in
      called.open()
      await forged.wait()
      return ["true"]
    }
    try await Peers.withPair(bus, [slow]) { server, client in
      let (name, victim) = (try #require(await server.uniqueName), try #require(await client.uniqueName))
      let call = MethodCall(to: name, Peers.path, Peers.interface, "Slow")
      async let reply = client.call(call)
      await called.wait()
      // A session bus passes on unrequested replies, and serials are small numbers.
      let passed = try bus.raw(
        """
        client = bus()
        for serial in range(1, 300):
          to = [(REPLY_TO, 'u', serial), (DESTINATION, 's', sys.argv[1]), (SIGNATURE, 'g', 's')]
          client.sendall(message(REPLY, serial, to, string('forged'), 1))
          client.sendall(message(REFUSAL, serial + 1000, to + [(ERROR, 's', 'a.b.Forged')], string('forged'), 1))
        print(ask(client))
        """, victim.text)
      #expect(passed == "True")
      #expect(try await client.call(.toBus("GetId")).first?.string != "forged")
      forged.open()
      #expect(try await reply == ["true"])
    }
  }
}
