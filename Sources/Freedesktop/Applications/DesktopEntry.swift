// SPDX-License-Identifier: Apache-2.0

/// An application's desktop entry, by the [Desktop Entry
/// Specification](https://specifications.freedesktop.org/desktop-entry-spec/1.5/) 1.5.
public struct DesktopEntry: Hashable, Sendable {
  /// An additional action of the application.
  public struct Action: Hashable, Sendable {
    /// The action's id.
    public let id: String
    /// The displayed name.
    public let name: LocalizedText?
    /// An icon theme name or a path.
    public let icon: LocalizedText?
    /// The command line; nil if the bus is used.
    public let exec: String?
  }

  /// The file that the entry was read from; nil if it was parsed from bytes alone.
  public let path: String?
  /// `Application`, or a type that cannot be launched: `Link`, `Directory`; empty for an entry that only hides another.
  public let type: String
  /// The displayed name.
  public let name: LocalizedText?
  /// An icon theme name or a path.
  public let icon: LocalizedText?
  /// The command line; nil if the bus is used.
  public let exec: String?
  /// The program whose presence says that the application is installed.
  package let tryExec: String?
  /// The folder that the program runs in.
  package let workingFolder: String?
  /// Whether the program needs a terminal.
  package let needsTerminal: Bool
  /// Whether the application implements `org.freedesktop.Application` on the bus, under its id.
  public let isBusActivatable: Bool
  /// Whether the application changes pushes before Suzu shows them: `X-Suzu-ChangesPushes`.
  package let changesPushes: Bool
  /// Whether the application is installed but left out of menus.
  package let isNotDisplayed: Bool
  /// Whether the entry counts as deleted, by the user or by a file installed over it.
  package let isHidden: Bool
  /// The only desktops that show the application; nil if the entry does not say.
  package let onlyShownIn: [String]?
  /// The desktops that do not show the application.
  package let notShownIn: [String]
  /// The MIME types that the application opens, including `x-scheme-handler/…`.
  package let mimeTypes: [String]
  /// The actions that the entry both lists and describes, in its order.
  public let actions: [Action]

  /// Parses an entry.
  public init(_ bytes: [UInt8], path: String? = nil) throws(DesktopEntryError) {
    do throws(DesktopEntryError) {
      try self.init(EntryFile(bytes), path)
    } catch {
      throw error.of(path ?? "")
    }
  }

  private init(_ file: EntryFile, _ path: String?) throws(DesktopEntryError) {
    let isHidden = file.flag("Hidden")
    let type = try file.text("Type")
    // An entry that only marks a deletion needs no other key.
    guard isHidden || type?.isEmpty == false else { throw DesktopEntryError(.malformed, "it has no 'Type'") }
    self.path = path
    self.type = type ?? ""
    self.isHidden = isHidden
    name = file.localizedText("Name")
    icon = file.localizedText("Icon")
    exec = try file.text("Exec")
    tryExec = try file.text("TryExec")
    workingFolder = try file.text("Path")
    needsTerminal = file.flag("Terminal")
    isBusActivatable = file.flag("DBusActivatable")
    changesPushes = file.flag("X-Suzu-ChangesPushes")
    isNotDisplayed = file.flag("NoDisplay")
    onlyShownIn = file.hasKey("OnlyShowIn") ? file.list("OnlyShowIn") : nil
    notShownIn = file.list("NotShowIn")
    mimeTypes = file.list("MimeType")
    var actions: [Action] = []
    for id in file.list("Actions") where !actions.contains(where: { $0.id == id }) {
      let group = "Desktop Action \(id)"
      guard file.hasGroup(group) else { continue }
      actions.append(
        Action(
          id: id, name: file.localizedText("Name", in: group), icon: file.localizedText("Icon", in: group),
          exec: try file.text("Exec", in: group)))
    }
    self.actions = actions
  }

  /// Whether the type is one that can be launched.
  package var isApplication: Bool { type == "Application" }

  /// Whether the entry is shown on these desktops (from `XDG_CURRENT_DESKTOP`): the first one it names decides.
  public func isShown(in desktops: [String]) -> Bool {
    for desktop in desktops {
      if onlyShownIn?.contains(desktop) == true { return true }
      if notShownIn.contains(desktop) { return false }
    }
    return onlyShownIn == nil
  }

  /// The URL schemes that the application opens, in lower case.
  public var schemes: [String] {
    let head = "x-scheme-handler/"
    return mimeTypes.map { $0.lowercased() }.filter { $0.hasPrefix(head) && $0 != head }
      .map { String($0.dropFirst(head.count)) }
  }
}
