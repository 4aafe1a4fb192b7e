// SPDX-License-Identifier: Apache-2.0

/// What an application says of itself to the desktop, by the
/// [Desktop Entry Specification](https://specifications.freedesktop.org/desktop-entry-spec/1.5/) 1.5.
public struct DesktopEntry: Hashable, Sendable {
  /// One more thing that the application can be started for.
  public struct Action: Hashable, Sendable {
    /// What it is asked for by.
    public let id: String
    /// For people.
    public let name: LocalizedText?
    /// A name of the icon theme, or a path.
    public let icon: LocalizedText?
    /// The command line; missing where the bus is used.
    public let exec: String?
  }

  /// The file that it was read from; nil for bytes that came from nowhere in particular.
  public let path: String?
  /// `Application`, or something that cannot be launched: `Link`, `Directory`; empty where it is only hidden.
  public let type: String
  /// For people.
  public let name: LocalizedText?
  /// A name of the icon theme, or a path.
  public let icon: LocalizedText?
  /// The command line; missing where the bus is used.
  public let exec: String?
  /// The program that tells whether the application is installed.
  public let tryExec: String?
  /// Where the program is to run.
  public let workingFolder: String?
  /// Whether it needs a terminal.
  public let needsTerminal: Bool
  /// Whether it is an `org.freedesktop.Application` on the bus, under its id.
  public let isBusActivatable: Bool
  /// Installed, but not for menus.
  public let isNotDisplayed: Bool
  /// Deleted by the user, or by who installed a file over it.
  public let isHidden: Bool
  /// The only desktops that it is for; nil: not said.
  public let onlyShownIn: [String]?
  /// Desktops that it is not for.
  public let notShownIn: [String]
  /// What it opens; `x-scheme-handler/…` among them.
  public let mimeTypes: [String]
  /// In the order of the entry; those that it lists and describes.
  public let actions: [Action]

  /// Reads an entry.
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
    // What only says that it is deleted needs to say nothing else.
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

  /// Whether it says that it can be launched at all.
  public var isApplication: Bool { type == "Application" }

  /// Whether it is for one of these desktops, those of `XDG_CURRENT_DESKTOP`: the first that it names decides.
  public func isShown(in desktops: [String]) -> Bool {
    for desktop in desktops {
      if onlyShownIn?.contains(desktop) == true { return true }
      if notShownIn.contains(desktop) { return false }
    }
    return onlyShownIn == nil
  }

  /// The schemes of the URLs that it opens, in lower case.
  public var schemes: [String] {
    let head = "x-scheme-handler/"
    return mimeTypes.map { $0.lowercased() }.filter { $0.hasPrefix(head) && $0 != head }
      .map { String($0.dropFirst(head.count)) }
  }
}
