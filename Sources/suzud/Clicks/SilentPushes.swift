// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Hands silent pushes to their apps, the way that responses go: to the handler that is attached, or to the program
/// that the bus starts, with the same time limit. After a restart, ``UnfinishedResponses`` takes up those that had not
/// begun.
struct SilentPushes {
  let audience: any Audience
  let gate: ActionGate

  func handOver(_ request: NotificationRequest, _ record: ResponseRecord, _ rights: Rights) {
    let response = Response(
      number: UInt64(record.number.value), app: record.app, id: record.id, action: record.action,
      userInfo: request.content.userInfo)
    // The handler receives it when it may act.
    let isHeard = audience.tell(.responded(response), of: record.app, except: audience.handler(of: record.app))
    gate.carryOut(
      Click(
        response: response, request: request, action: .silentPush, rights: rights, token: nil,
        record: Click.Record(record), date: record.committed),
      isHeard: isHeard)
  }
}
