// SPDX-License-Identifier: Apache-2.0
import DBus
import Synchronization

// Serves a counter, until the bus ends. Try it with:
//   gdbus call --session -d org.example.Counter -o /org/example/Counter -m org.example.Counter1.Add 5
//   gdbus monitor --session -d org.example.Counter

let add = MethodDescription("Add", in: ("number", Int64.self), out: ("total", Int64.self))
let total = PropertyDescription("Total", Int64.self)
let overflowed = SignalDescription("Overflowed", ("number", Int64.self))

let (path, name) = ("/org/example/Counter" as ObjectPath, "org.example.Counter1" as InterfaceName)
let count = Mutex<Int64>(0)

let counter = Interface(
  name,
  methods: [
    Method(add) { bus, number, _ in
      let sum = count.withLock { count in
        let (sum, overflows) = count.addingReportingOverflow(number)
        if !overflows { count = sum }
        return overflows ? nil : sum
      }
      guard let sum else {
        try bus.emit(overflowed, from: path, name, number)
        throw RemoteError("org.example.Error.Overflow", "\(number) is too much")
      }
      try await bus.propertiesChanged([total.name], of: name, at: path)
      return sum
    }
  ],
  signals: [overflowed],
  properties: [Property(total) { _, _ in count.withLock { $0 } }])

let bus = try await Connection.session()
try await bus.serve(counter, at: path, as: "org.example.Counter")
print("ready")
await bus.untilClosed()
