// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
  @Test func aConnectionGetsAUniqueNameAndAnAnswer() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let connection = try await bus.connect(on: loop)
      #expect(await connection.uniqueName?.isUnique == true)
      let reply = try await connection.call(.toBus("GetId"))
      #expect(reply.first?.string?.isEmpty == false)
      await connection.close()
    }
  }

  @Test func anExportedTableAnswersGdbus() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let table = Interface(
        "dev.suzu.Test1",
        methods: [
          Method("Double", in: ["n": "i"], out: ["twice": "i"]) { call in
            guard case .int32(let n) = call.arguments[0] else { return [] }
            return [.int32(2 * n)]
          }
        ])
      try await connection.export(table, at: "/dev/suzu/Test")
      #expect(try await connection.requestName("dev.suzu.Test") == .owner)
      let result = try RunningProgram.run(
        "gdbus",
        ["call", "--session", "-d", "dev.suzu.Test", "-o", "/dev/suzu/Test", "-m", "dev.suzu.Test1.Double", "21"],
        environment: bus.environment)
      #expect(result.output == "(42,)\n")
      await connection.close()
    }
  }
}
