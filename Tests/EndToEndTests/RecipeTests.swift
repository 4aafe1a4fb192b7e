// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that the examples of the documentation work as printed: each is typed on a private bus with our center, and
/// its effect is checked.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct RecipeTests {
  private static let effects: [String: [Effect]] = [
    "README.md": Effect.readme, "docs/COOKBOOK.md": Effect.cookbook, "docs/ASK.md": Effect.ask,
    "docs/RUN.md": Effect.run, "docs/WISHES.md": Effect.wishes, "docs/QUIET.md": Effect.quiet,
    "docs/PUSH.md": Effect.push, "docs/LINKS.md": Effect.links,
    "docs/TIME.md": Effect.time,
    "docs/BUTTONS.md": Effect.buttons, "docs/ELSEWHERE.md": Effect.elsewhere, "docs/GUIDE.md": Effect.guide,
    "docs/SCRIPTING.md": Effect.scripting, "docs/LAUNCHER.md": Effect.launcher,
    "docs/CALENDARS.md": Effect.calendars, "docs/CONDITIONS.md": Effect.conditions, "docs/HISTORY.md": Effect.history,
    "docs/man/suzu.1.scd": Effect.command,
    "docs/man/suzu-request.5.scd": Effect.request, "docs/man/suzu-category.5.scd": Effect.category,
    "docs/man/suzud.8.scd": Effect.center, "docs/man/suzu-link.8.scd": Effect.linkProgram,
    "docs/man/suzu-window.1.scd": Effect.window,
  ]

  /// The expected effect of a recipe; a new recipe without one fails.
  private static func effect(for recipe: Recipe) throws -> Effect {
    let known = (effects[recipe.document] ?? []).filter { $0.key.allSatisfy(recipe.text.contains) }
    try #require(known.count == 1, "\(known.count) effects are known of \(recipe.testDescription)")
    return known[0]
  }

  private static func reasonNotToRun(_ recipe: Recipe) -> String? {
    if recipe.document == "docs/TESTING.md" { return "SuzuTestingTests compiles it" }
    if recipe.document != "docs/COOKBOOK.md", SwiftPageTests.compiles(recipe) { return "SwiftPageTests compiles it" }
    return Effect.notRun.first { recipe.text.contains($0.key) }?.value
  }

  private static let recipes = (try? Recipe.documents.flatMap(Recipe.all)) ?? []
  private static let helpRecipes = (try? Recipe.ofHelp()) ?? []

  @Test(arguments: recipes.filter { reasonNotToRun($0) == nil })
  func `An example of the documentation has its documented effect`(recipe: Recipe) async throws {
    try await Self.perform(recipe, try Self.effect(for: recipe))
  }

  @Test(arguments: helpRecipes)
  func `An example of a help page has its documented effect`(recipe: Recipe) async throws {
    let known = Effect.help.filter { $0.key == [String(recipe.text.dropLast())] }
    try #require(known.count == 1, "\(known.count) effects are known of \(recipe.testDescription)")
    try await Self.perform(recipe, known[0])
  }

  @Test func `Each effect belongs to an example, and each skipped example has a reason`() throws {
    #expect(Set(Self.effects.keys).isSubset(of: Recipe.documents))
    for document in Recipe.documents {
      let recipes = Self.recipes.filter { $0.document == document && Self.reasonNotToRun($0) == nil }
      #expect(recipes.count == Self.effects[document]?.count ?? 0, "\(document)")
    }
    #expect(Self.helpRecipes.count == Effect.help.count)
    for key in Effect.notRun.keys { #expect(Self.recipes.contains { $0.text.contains(key) }, "\(key)") }
    // The make target of the example exists.
    let makefile = try String(contentsOf: Session.checkout.appending(path: "Makefile"), encoding: .utf8)
    for recipe in Self.recipes where ["README.md", "docs/INSTALL.md"].contains(recipe.document) {
      for match in recipe.text.matches(of: /(?m)(?:^|sudo )make ([a-z]+)/) {
        #expect(makefile.contains("\n\(match.1):"), "make \(match.1)")
      }
    }
  }

  /// The sixteen tasks that first-time users are given, by the headings of their recipes.
  private static let tasks = [
    "An alarm on certain weekdays whose button runs a program", "Remind me every 15 minutes, six times",
    "A question with three buttons and a text", "The last Friday of each month in New York",
    "See what daylight saving does before you schedule", "One set of buttons for many notifications", "Show progress",
    "Move an appointment from 7:30 to 8:00", "Find out why a notification did not appear",
    "Use scripts that were written for notify-send", "Take over the alarms of a calendar",
    "Back up everything and restore it", "Tell me when a cron job fails", "Notify a user as root",
    "Open a page by a click", "Launch an app by a click", "Do it over D-Bus", "Snooze", "Type it wrong", "Break it",
  ]

  @Test func `Each of the sixteen tasks is a recipe of the cookbook`() throws {
    let file = Session.checkout.appending(path: "docs/COOKBOOK.md")
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n## ").dropFirst()
    for task in Self.tasks {
      let part = try #require(parts.first { $0.hasPrefix(task + "\n") }, "\(task)")
      #expect(
        part.contains("\n```sh\n") || part.contains("\n```console\n") || part.contains("\n```crontab\n"), "\(task)")
    }
    #expect(parts.count >= 25)
    // None of them is skipped: `An example of the documentation has its documented effect` runs them all.
    #expect(Self.recipes.filter { $0.document == "docs/COOKBOOK.md" }.allSatisfy { Self.reasonNotToRun($0) == nil })
  }

  @Test func `Verbs and flags named in the text exist`() throws {
    var known: [String: String] = [:]
    for document in Recipe.documents where document.hasSuffix(".md") {
      let text = try Recipe.prose(of: document)
      for name in text.matches(of: /`suzu ([a-z-]+)([^`]*)`/).map(\.output) where name.1 != "--help" {
        let verb = String(name.1)
        let help = try known[verb] ?? Session.help(of: verb)
        known[verb] = help
        for flag in name.2.matches(of: /--[a-z-]+/) {
          #expect(help.contains(" \(flag.output)") || flag.output == "--help", "\(document): \(name.0)")
        }
      }
    }
    #expect(known.count > 10)
  }

  @Test func `Each time in the tables is accepted`() throws {
    let session = try Session()
    let text = try Recipe.prose(of: "docs/TIME.md")
    let table = try #require(text.firstMatch(of: /\n\| you want it \| flag \|\n((?:\|[^\n]*\n)+)/)).1
    let expressions = try #require(text.firstMatch(of: /\n\| expression \| dates \|\n((?:\|[^\n]*\n)+)/)).1
    let times =
      table.matches(of: /`(--[^`]+)`/).map { String($0.1) }
      + expressions.matches(of: /`([^`]+)`/).map { "--every \($0.1)" } + (try Self.accepted(in: text))
    #expect(times.count > 80)
    for time in times {
      let asked = try session.run("/bin/sh", "-c", "'\(Session.programs)/suzu' notify x \(time)")
      #expect(asked.status == 0, "\(time): \(asked.errors)")
    }
    // One that is due has its next date in another row.
    let listed = try session.suzu("list").output
    let ids = Set(listed.matches(of: /\ dev\.suzu\.Suzu +(\S+)/).map(\.1))
    #expect(ids.count == times.count, "\(listed)")
  }

  /// What the table of accepted values lists, as flags.
  private static func accepted(in text: String) throws -> [String] {
    let table = try #require(text.firstMatch(of: /\n\| flag \| accepted \|\n((?:\|[^\n]*\n)+)/)).1
    let others = ["--zone": "--at 'tomorrow 7:30' ", "--missed": "--at 'tomorrow 7:30' "]
    return table.matches(of: /(?m)^\| `(--[a-z]+)`([^|]*)\| (.*) \|$/).flatMap { row -> [String] in
      let flag = String(row.1)
      return row.3.matches(of: /`([^`]+)`/).map(\.1).filter { !$0.hasPrefix("--") && $0 != "RRULE:" && $0 != "today" }
        .map { (others[flag] ?? "") + "\(flag) \($0)" }
    }
  }

  @Test func `The target of each link exists`() throws {
    for document in Recipe.documents where document.hasSuffix(".md") {
      let file = Session.checkout.appending(path: document)
      let text = try String(contentsOf: file, encoding: .utf8)
      for link in text.matches(of: /\]\(([^)#:]+)\)/) {
        let target = file.deletingLastPathComponent().appending(path: String(link.1))
        #expect(FileManager.default.fileExists(atPath: target.path), "\(document): \(link.1)")
      }
      let headings = text.matches(of: /\n##+ ([^\n]+)/).map { Self.anchor(of: String($0.1)) }
      for link in text.matches(of: /\]\(#([^)]+)\)/) {
        #expect(headings.contains(String(link.1)), "\(document): #\(link.1)")
      }
    }
  }

  /// The name that a page gives to a heading: its letters, digits and dashes, in lower case.
  private static func anchor(of heading: String) -> String {
    heading.lowercased().replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" }
  }

  @Test func `Each file and directory that the architecture names exists`() throws {
    let text = try Recipe.prose(of: "docs/ARCHITECTURE.md")
    // The names with a dash or a digit, such as those of suzu-link, were passed over.
    let names = text.matches(of: /`((?:\.\.\/)?[A-Za-z][A-Za-z-]*(?:\/[A-Za-z0-9+.-]+)+)`/).map { String($0.1) }
    #expect(names.count > 170 && names.contains("RunningLinks/MQTT/MQTTConnection.swift"))
    for name in names {
      let isOutside = name.hasPrefix("Scripts/") || name.hasPrefix("Packaging/")
      let path = Session.checkout.appending(path: isOutside ? name : "Sources/" + name).standardized.path
      #expect(FileManager.default.fileExists(atPath: path), "\(name)")
    }
  }

  @Test func `The architecture names every target of the sources`() throws {
    let text = try Recipe.prose(of: "docs/ARCHITECTURE.md")
    let folder = Session.checkout.appending(path: "Sources").path
    let targets = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(targets.count > 30)
    // `suzud` has rows for its folders instead.
    for target in targets { #expect(text.contains("`\(target)`") || text.contains("`\(target)/"), "\(target)") }
  }

  private static func perform(_ recipe: Recipe, _ effect: Effect) async throws {
    // Checks the JSON output.
    let missing = RunningProgram.path(of: "jq") == nil ? "jq" : effect.needs.flatMap { isThere($0) ? nil : $0.rawValue }
    if let missing { return print("recipes: without \(missing) this is not run: \(recipe.testDescription)") }
    try await withLoop { loop in
      var stage = try await RecipeStage(recipe, effect, on: loop)
      defer { stage.end() }
      try await stage.perform()
    }
  }

  private static func isThere(_ need: Effect.Need) -> Bool {
    switch need {
    case .python3: hasPython
    case .libical: ImportTests.hasLibical
    case .speechDispatcher: SpeechServer.isThere
    case .bubblewrap: Bubblewrap.isPossible
    }
  }

  private static let hasPython =
    (try? RunningProgram.run("/usr/bin/python3", ["-c", "import dbus, gi"], environment: [:]).status) == 0
}
