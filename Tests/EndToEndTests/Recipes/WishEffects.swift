// SPDX-License-Identifier: Apache-2.0

/// The effects of the examples in `docs/WISHES.md`.
extension Effect {
  static let wishes: [Effect] = [
    Effect(
      "--hook claude-code", files: ["request.json": hookRequest],
      during: [
        .posted("Allow Claude Code to use Bash?"), .shown("Allow Claude Code to use Bash?", ".*make.*Allow.*Deny.*"),
        .press("Allow Claude Code to use Bash?", "deny"),
      ],
      prints: #"\{"hookSpecificOutput":\{"decision":\{"behavior":"deny".*"hookEventName":"PermissionRequest"\}\}"#),
    Effect(
      "suzu run", during: [.ran("make -j4")],
      after: [
        .posted("make -j4 finished"), .press("make -j4 finished", "again"), .ran("make -j4"),
        .posted("make -j4 finished"),
      ]),
    Effect(
      "--nag 10m", prints: "pill",
      after: [
        .now, .posted("Take the blue pill"), .shell("suzu why pill", "it is on the screen, and is shown again"),
        .shell("suzu ack pill; suzu why pill", "then: acknowledged"),
      ]),
    // NotifierUnitTests runs what the unit starts.
    Effect(
      "backup.service.d", during: [.ran("systemctl --user daemon-reload")],
      after: [
        .shell(
          "cat ~/.config/systemd/user/backup.service.d/notify.conf",
          "^\\[Unit\\]\nOnFailure=suzu-notify@%n.service\n$"),
        .shell("MONITOR_SERVICE_RESULT=timeout suzu unit -- backup.service", ""), .posted("backup.service failed"),
        .shown("backup.service failed", ".*it took too long.*Restart.*Log.*Mute.*"),
      ]),
    Effect(
      "suzu history", given: "suzu notify 'Tea is ready' --id tea --action ok=Thanks",
      ready: [
        .posted("Tea is ready"), .press("Tea is ready", "ok"), .shell("suzu history tea", "answered: ok"),
        .shell(
          "pid=$(busctl --user status dev.suzu.Center | sed -n 's/^PID=//p'); kill -KILL $pid; "
            + "tail -s 0.1 --pid=$pid -f /dev/null", ""),
      ],
      prints: ".*answered: ok +dev.suzu.Suzu +tea +Tea is ready.*"),
    Effect(
      "suzu follow", files: [".calendars/home/anna.ics": plainCalendar], needs: .libical,
      after: [
        .shell("suzu list", "09:00 .*birthday +Anna's birthday"), .now, .posted("Anna's birthday"),
        .shell("rm ~/.calendars/home/anna.ics; suzu follow --stop ~/.calendars/home; suzu list --json", #"^\[\]"#),
      ]),
    Effect(
      "suzu apps deliver",
      after: [
        .shell("suzu notify 'Rain' --app org.example.News --level passive", ""),
        .shell("suzu notify 'Snow' --app org.example.News --level passive", ""),
        .shell("suzu history", "held until \\d{4}-\\d\\d-\\d\\d (12:30|17:00) .*Snow"),
        .shell("suzu apps deliver org.example.News now", ""), .posted("2 notifications"),
        .shown("2 notifications", ".*Rain.*Snow.*"),
      ]),
    Effect(
      "suzu apps away", isLocked: true,
      after: [
        .shell("suzu notify 'Are you there?' --app org.example.Chatter", ""),
        .shell("suzu notify 'Hello?' --app org.example.Chatter", ""),
        .shell("suzu notify 'Fire' --app org.example.Chatter --level critical", ""), .posted("Fire"), .unlock,
        // What was shown meanwhile did not expire; its time begins now.
        .posted("Fire"), .posted("While you were away"),
        .shown("While you were away", ".*Are you there\\?.*Hello\\?.*"),
      ]),
    Effect(
      "--speak", needs: .speechDispatcher, prints: id,
      after: [.posted("Tea is ready"), .spoken("Tea is ready.")]),
    Effect(
      "'Water the plants'", prints: "plants",
      after: [
        .posted("Water the plants"), .shell("suzu respond plants later --reply 1h", ""),
        .shell("suzu list", "snoozed +dev.suzu.Suzu +plants +Water the plants"),
        .shell("suzu show plants --json | jq -r .in", "^1h"),
        .shell("suzu history plants --json | jq -c '.[0] | [.action, .reply]'", "later.*1h"),
      ]),
  ]
}
