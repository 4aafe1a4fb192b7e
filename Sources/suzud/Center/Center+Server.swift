// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// The notification server comes and goes.
extension Center {
  func serverAppeared(_ state: ServerState) {
    serverState = state
    nextAttempt?.cancel()
    queue.reopen()
    queue.succeed()
    hasSaidAbsent = false
    Log.info("notification server", "\(state.information.name) \(state.information.version)")
    announceServer()
    if !isRestored { restoreScreen(of: state) }
    post()
  }

  func serverVanished() {
    let wasThere = serverState != nil
    serverState = nil
    earlyEvents = [:]
    defer { noteEnded() }
    let shown = ledger.forgetServer()
    for key in shown {
      guard let entry = ledger[key] else { continue }
      // What waits for its turn is not shown yet; what it would have replaced has ended with the server.
      if entry.isPending { continue }
      if entry.request.style == .alert, questions[key] == nil {
        // What stays until it is answered must be answered: it is shown again. The rest had its time. A question of our
        // own ends: what asked it may ask again.
        closeList(of: key)
        ledger.reshow(key)
        queue.add(key)
        if let delivery = entry.due.delivery {
          journal.note { store throws(StoreError) in try store.recordLost(delivery) }
        }
      } else {
        ledger.remove(key)
        ledger.end(entry.due, .vanished)
      }
    }
    if wasThere {
      Log.info("notification server", "gone")
      announceServer()
    }
    if !queue.isEmpty { activateServer() }
  }

  /// Asks the bus for a server, once for everything that waits; without one it waits for one to appear.
  func activateServer() {
    guard !isActivating, !queue.isEmpty else { return }
    isActivating = true
    _ = Task(executorPreference: loop) { await self.activate() }
  }

  private func activate() async {
    do throws(CallError) {
      try await server.activate()
    } catch {
      // Each request asks, and most get the same answer.
      if !hasSaidAbsent { Log.info("no notification server; notifications wait for one", "\(error)") }
      hasSaidAbsent = true
    }
    isActivating = false
  }

  private func announceServer() {
    _ = Task(executorPreference: loop) {
      try? await self.connection.propertiesChanged(
        ["Server", "Capabilities"], of: CenterInterface.name, at: CenterInterface.path)
    }
  }

  // MARK: A server that refuses, or hangs

  func pause() {
    guard queue.mood == .open || queue.mood == .draining else { return }
    queue.mood = .pausing
    nextAttempt = loop.schedule(after: queue.nextPause()) { [weak self] in
      self?.assumeIsolated { center in
        center.queue.reopen()
        center.post()
      }
    }
  }

  func serverHangs() {
    guard queue.mood != .hung else { return }
    nextAttempt?.cancel()
    queue.mood = .hung
    Log.warning("the notification server does not answer; asking it again every", patience.probePause.text)
    probeLater()
  }

  func probeLater() {
    nextAttempt = loop.schedule(after: patience.probePause) { [weak self] in
      self?.assumeIsolated { center in _ = Task(executorPreference: center.loop) { await center.probe() } }
    }
  }

  func probe() async {
    guard queue.mood == .hung, serverState != nil, !isProbing else { return }
    nextAttempt?.cancel()
    isProbing = true
    let answers = await server.answers()
    isProbing = false
    guard queue.mood == .hung else { return }
    if answers {
      queue.reopen()
      post()
    } else {
      probeLater()
    }
  }
}
