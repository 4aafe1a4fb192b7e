// SPDX-License-Identifier: Apache-2.0

/// The page about links, and the help of `suzu link`. None of these needs a network: adding a link writes files.
extension Effect {
  static let links: [Effect] = [
    Effect(
      "suzu link add house", files: ["password.txt": "her password\n"],
      after: [.shell("cat ~/.config/suzu/links.d/house.json", #""topic": "suzu/ann/#",\n  "login": "ann""#)]),
    Effect(
      "suzu link add alarms",
      after: [
        .shell("suzu link list", "alarms +stopped"),
        .shell("cat ~/.config/suzu/links.d/alarms.json", #""levels": \["timeSensitive","critical"\]"#),
      ]),
    Effect(
      "suzu link add team", files: ["password.txt": "her password\n"],
      after: [.shell("cat ~/.config/suzu/links.d/team.json", #""topic": "alarms/#",\n  "answers": true"#)]),
    door,
    pictures,
    Effect(
      "suzu link add phone", files: ["token.txt": "tk_abc\n"], during: [.posted("The shop is down")], prints: "shop",
      after: [
        .shell("cat ~/.config/suzu/links.d/phone.json", #""send": "phone",\n  "receive": false"#),
        .shell("suzu show shop", #"escalate: +after 30m: push=true"#),
      ]),
    Effect(
      "suzu link add backup",
      after: [
        .shell("suzu category list --app dev.suzu.Link.backup", "backup"),
        .shell("cat ~/.config/suzu/links.d/backup.json", #""category": "backup""#),
      ]),
    Effect(
      "suzu link add web --unifiedpush",
      complains: "suzu: link: web: no distributor has given the link an address yet; see 'suzu link list'", status: 69,
      after: [
        .shell("cat ~/.config/suzu/links.d/web.json", #""server": "unifiedpush:",\n  "keysFile": "web.secret""#),
        .shell("stat -c %a ~/.config/suzu/links.d/web.secret", "600"),
      ]),
    Effect(
      "suzu link add shop --unifiedpush",
      after: [
        .shell("suzu link list --json", #""name":"shop".*"server":"unifiedpush:","state":"stopped","vapid":"BA1H"#)
      ]),
  ]

  static let linkProgram: [Effect] = [Effect("suzu link list", prints: "NAME +STATE .*\nhome +stopped .*")]

  static let linkHelp: [Effect] = [
    Effect(
      "suzu link add home https://ntfy.example.com/alerts --token-file token.txt", files: ["token.txt": "tk_abc\n"],
      after: [
        .shell("cat ~/.config/suzu/links.d/home.secret; stat -c %a ~/.config/suzu/links.d/home.secret", "tk_abc\n600"),
        .shell("suzu doctor", "partly +link home: suzu-link does not run; start it with: systemctl --user start"),
      ]),
    Effect(
      "suzu link add backup https://ntfy.example.com/backups --category backup --allow-level critical --allow-level active",
      after: [
        .shell("cat ~/.config/suzu/links.d/backup.json", #""levels": \["active","critical"\],\n  "category": "backup""#)
      ]),
    Effect(
      "suzu link add house mqtts://mqtt.example.com --login ann --password-file password.txt",
      files: ["password.txt": "her password\n"],
      after: [
        .shell(
          "cat ~/.config/suzu/links.d/house.json", #""server": "mqtts://mqtt.example.com",\n  "topic": "suzu/ann/#""#)
      ]),
    door,
    Effect(
      "suzu link add phone https://ntfy.example.com/phone --send-only",
      after: [
        .shell("cat ~/.config/suzu/links.d/phone.json", #""topic": "phone",\n  "send": "phone",\n  "receive": false"#)
      ]),
    Effect(
      "suzu link add web --unifiedpush",
      after: [.shell("cat ~/.config/suzu/links.d/web.json", #""server": "unifiedpush:",\n  "keysFile": "web.secret""#)]),
    Effect(
      "suzu link test home", given: "suzu link add home http://127.0.0.1:9/alerts",
      complains: "suzu: link: home: the server cannot be reached", status: 69),
    Effect("suzu link list", given: home, prints: "NAME +STATE .*\nhome +stopped .*"),
    Effect(
      "suzu link remove home", given: home,
      after: [.shell("suzu link list --json; ls ~/.config/suzu/links.d", #"^\[\]\n$"#)]),
  ]

  private static let door = Effect(
    "suzu link add door https://ntfy.example.com/door --hosts home.example.com",
    after: [.shell("cat ~/.config/suzu/links.d/door.json", #""hosts": \["home\.example\.com"\]"#)])
  private static let pictures = Effect(
    "suzu link add cam https://ntfy.example.com/cam --hosts ntfy.example.com --pictures",
    after: [.shell("cat ~/.config/suzu/links.d/cam.json", #""pictures": true"#)])
  private static let home = "suzu link add home https://ntfy.example.com/alerts"
}
