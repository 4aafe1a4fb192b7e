// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// Tests idle times by a Wayland compositor: a scripted one, and sway without a monitor.
@Suite(.timeLimit(.minutes(1))) struct WaylandIdleTests {
  private func next(_ reader: Reader<Observation>, until state: Observation) async {
    while let observation = await reader.next(), observation != state {}
  }

  @Test(arguments: [["ext_idle_notifier_v1"], ["org_kde_kwin_idle"], ["org_kde_kwin_idle", "ext_idle_notifier_v1"]])
  func `The compositor tells when a time is over, and when the next input comes`(protocols: [String]) async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let folder = try TemporaryFolder()
      let compositor = try ScriptedCompositor(at: folder.path("wayland-7"), on: loop, offering: protocols)
      let display = WaylandIdle.Display(folder: folder.path(""), names: ["wayland-7"])
      let source = IdleSource(on: loop, system: stand.link, session: stand.session, wayland: display)
      let short = try stand.watch(source, "idle 5m")
      let long = try stand.watch(source, "idle 10m")
      try await loop.turn { compositor.timers.count == 2 }
      #expect(compositor.timers.map(\.milliseconds).sorted() == [300_000, 600_000])
      let first = try #require(compositor.timers.first { $0.milliseconds == 300_000 })
      let second = try #require(compositor.timers.first { $0.milliseconds == 600_000 })
      await next(short, until: .holds(false))
      for _ in 0..<2 {
        compositor.tell(first, 0)
        await next(short, until: .holds(true))
        #expect(await SourceStand.known(long) == .holds(false))
        compositor.tell(second, 0)
        await next(long, until: .holds(true))
        compositor.tell(first, 1)
        compositor.tell(second, 1)
        await next(short, until: .holds(false))
        await next(long, until: .holds(false))
      }
      // What is not waited for any more is taken back, and at last the connection ends.
      source.unwatch(try Condition("idle 5m").subject)
      try await loop.turn { compositor.timers.count == 1 }
      #expect(compositor.timers.map(\.milliseconds) == [600_000])
      source.unwatch(try Condition("idle 10m").subject)
      try await loop.turn { !compositor.hasClient }
      compositor.stop()
    }
  }

  @Test func `A compositor that starts later, or again, is found`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let folder = try TemporaryFolder()
      let display = WaylandIdle.Display(folder: folder.path(""), names: ["wayland-0", "wayland-1"])
      let source = IdleSource(on: loop, system: stand.link, session: stand.session, wayland: display)
      let reader = try stand.watch(source, "idle 10m")
      #expect(
        await reader.next() == .unknown("no desktop, Wayland compositor or logind tells how long there was no input"))
      for _ in 0..<2 {
        let compositor = try ScriptedCompositor(
          at: folder.path("wayland-1"), on: loop, offering: ["ext_idle_notifier_v1"])
        try await loop.turn { compositor.timers.count == 1 }
        compositor.tell(try #require(compositor.timers.first), 0)
        await next(reader, until: .holds(true))
        #expect(unlink(folder.path("wayland-1")) == 0)
        compositor.stop()
        await next(
          reader, until: .unknown("no desktop, Wayland compositor or logind tells how long there was no input"))
      }
      source.unwatch(try Condition("idle 10m").subject)
    }
  }

  private static let hasSway = access("/usr/bin/sway", X_OK) == 0

  @Test(.enabled(if: hasSway, "no sway here")) func `sway tells when a time is over`() async throws {
    let folder = try TemporaryFolder()
    let configuration = try folder.write("xwayland disable\nexec echo $WAYLAND_DISPLAY\n", to: "sway.conf")
    let runtime = folder.path("run")
    #expect(mkdir(runtime, 0o700) == 0 && chmod(folder.path(""), 0o711) == 0 && chmod(configuration, 0o644) == 0)
    // It refuses to run as root.
    var words = ["sway", "--config", configuration]
    if geteuid() == 0 {
      #expect(chown(runtime, 65534, 65534) == 0)
      words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] + words
    }
    let sway = try RunningProgram(
      words[0], Array(words.dropFirst()),
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": runtime, "XDG_RUNTIME_DIR": runtime, "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
      ])
    let name = try #require(sway.readLine(within: 20), "\(sway.errors)")
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let display = WaylandIdle.Display(folder: runtime, names: [name])
      let source = IdleSource(on: loop, system: stand.link, session: stand.session, wayland: display)
      let reader = try stand.watch(source, "idle 1s")
      #expect(await SourceStand.known(reader) == .holds(false))
      await next(reader, until: .holds(true))
      source.unwatch(try Condition("idle 1s").subject)
    }
    sway.kill()
  }

  @Test func `A compositor that breaks the protocol is lost, and tried again later`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let folder = try TemporaryFolder()
      let compositor = try ScriptedCompositor(
        at: folder.path("wayland-0"), on: loop, offering: ["ext_idle_notifier_v1"])
      let display = WaylandIdle.Display(folder: folder.path(""), names: ["wayland-0"])
      let source = IdleSource(on: loop, system: stand.link, session: stand.session, wayland: display)
      let reader = try stand.watch(source, "idle 10m")
      await next(reader, until: .holds(false))
      // A message that is shorter than its own head.
      compositor.sendRaw([1, 4 << 16])
      await next(reader, until: .unknown("no desktop, Wayland compositor or logind tells how long there was no input"))
      // The socket is the same, as when Plasma's compositor starts again.
      try await loop.turn { compositor.timers.count == 1 }
      await next(reader, until: .holds(false))
      source.unwatch(try Condition("idle 10m").subject)
      compositor.stop()
    }
  }

  @Test func `A compositor without such a protocol is left alone`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let folder = try TemporaryFolder()
      let compositor = try ScriptedCompositor(at: folder.path("wayland-0"), on: loop, offering: [])
      let display = WaylandIdle.Display(folder: folder.path(""), names: ["wayland-0"])
      let source = IdleSource(on: loop, system: stand.link, session: stand.session, wayland: display)
      let reader = try stand.watch(source, "idle 10m")
      try await loop.turn { compositor.clients == 1 && !compositor.hasClient }
      #expect(
        await reader.next() == .unknown("no desktop, Wayland compositor or logind tells how long there was no input"))
      source.unwatch(try Condition("idle 10m").subject)
      compositor.stop()
    }
  }
}
