// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests conditions on the battery, the mains and devices from the request to the notification. UPower is the real one;
/// the kernel's files and udev's messages are simulated: no battery is discharged and no device is plugged in here.
@Suite(.onOwnThread, .timeLimit(.minutes(2)), .enabled(if: SimulatedMachine.isPossible))
struct MachineConditionTests {
  @Test(arguments: ConditionStage.Way.allCases)
  func `The real UPower tells of the charge and of the mains`(_ way: ConditionStage.Way) throws {
    let machine = try SimulatedMachine()
    let service = try machine.startUPower()
    let stage = try ConditionStage(machine.session)
    try stage.arm("low", "{event.percent} % left", on: ("battery < 20%", "{'battery': <'< 20%'>}"), by: way)
    try stage.arm(
      "mains", "Mains: {event.edge}", on: ("change power", "{'power': <true>, 'edge': <'change'>}"), by: way)
    try stage.await("low", false)
    try stage.await("mains", false)
    try machine.setCharge(15)
    #expect(stage.shown() == "15 % left")
    // Two percent more are needed before it counts again.
    for charge in [21, 14, 23] { try machine.setCharge(charge) }
    try stage.await("low", false)
    try machine.setCharge(12)
    #expect(stage.shown() == "12 % left")
    try machine.setMains(true)
    #expect(stage.shown() == "Mains: enter")
    try machine.setMains(false)
    #expect(stage.shown() == "Mains: leave")
    service.kill()
    machine.end()
  }

  @Test(arguments: ConditionStage.Way.allCases)
  func `A device that is plugged in or pulled out is told`(_ way: ConditionStage.Way) throws {
    let machine = try SimulatedMachine()
    let stage = try ConditionStage(machine.session)
    let dictionary = "{'device': <{'ID_VENDOR': <'Yubico'>}>"
    try stage.arm("in", "{event.name} is here", on: ("device ID_VENDOR=Yubico", dictionary + "}"), by: way)
    try stage.arm(
      "out", "{event.ID_VENDOR} is gone", on: ("leave device ID_VENDOR=Yubico", dictionary + ", 'edge': <'leave'>}"),
      by: way)
    for id in ["in", "out"] { try stage.await(id, false) }
    for _ in 0..<2 {
      try machine.plugKey()
      #expect(stage.shown() == "Key 5 is here")
      try machine.pullKey()
      #expect(stage.shown() == "Yubico is gone")
    }
    machine.end()
  }
}
