// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import suzu

/// Tests what `suzu doctor` says about the opening of URLs.
@Suite struct BrowserSearchTests {
  // It said that all was well wherever xdg-open was installed.
  @Test func `Without a browser, xdg-open opens nothing`() throws {
    let folder = try TemporaryFolder()
    var environment = ["PATH": folder.path("bin"), "HOME": folder.path("home"), "XDG_DATA_DIRS": folder.path("share")]
    func finding() -> Finding { BrowserSearch(environment: environment).finding(opener: "/bin/xdg-open") }
    let none = finding()
    #expect(none.state == .degraded && none.text.contains("no browser is") && none.text.contains("apt install"))
    // A browser for terminals does not help: a click has none.
    try folder.write("", to: "bin/lynx", executable: true)
    #expect(finding().state == .degraded)
    environment["BROWSER"] = "konqueror:vivaldi %s"
    #expect(finding().text.contains("BROWSER is 'konqueror:vivaldi %s', which is not installed"))
    try folder.write("", to: "bin/vivaldi", executable: true)
    #expect(finding() == Finding(what: "opening URLs", state: .good, text: "/bin/xdg-open"))
    environment["BROWSER"] = nil
    try folder.write("", to: "bin/chromium", executable: true)
    #expect(finding().state == .good)
  }

  @Test func `An installed app that declares the scheme is a browser`() throws {
    let folder = try TemporaryFolder()
    let environment = ["PATH": "/nowhere", "HOME": folder.path("home"), "XDG_DATA_DIRS": folder.path("share")]
    func state() -> Finding.State { BrowserSearch(environment: environment).finding(opener: "x").state }
    func declare(_ scheme: String) throws {
      try folder.write(
        "[Desktop Entry]\nType=Application\nName=B\nExec=b %u\nMimeType=x-scheme-handler/\(scheme);\n",
        to: "share/applications/b.desktop")
    }
    try declare("mailto")
    #expect(state() == .degraded)
    try declare("https")
    #expect(state() == .good)
  }

  // A browser that declares no scheme was enough for the doctor, and xdg-open ended with 4.
  @Test func `On a desktop whose opener asks GLib, only a registered app counts`() throws {
    let folder = try TemporaryFolder()
    let environment = [
      "PATH": folder.path("bin"), "HOME": folder.path("home"), "XDG_DATA_DIRS": folder.path("share"),
      "XDG_CONFIG_DIRS": folder.path("etc"), "XDG_CURRENT_DESKTOP": "ubuntu:GNOME",
    ]
    let search = BrowserSearch(environment: environment)
    try folder.write("", to: "bin/x-www-browser", executable: true)
    #expect(search.obstacle(to: "http") == nil)
    // Without it, xdg-open goes on as on any desktop.
    try folder.write("", to: "bin/gio", executable: true)
    #expect(search.obstacle(to: "http") == "no app is registered for 'http:' URLs")
    #expect(search.finding(opener: "/bin/xdg-open").text.contains("no app is registered for 'https:' URLs"))
    try folder.write(
      "[Desktop Entry]\nType=Application\nName=B\nExec=b %u\nMimeType=x-scheme-handler/http;\n",
      to: "share/applications/b.desktop")
    #expect(search.obstacle(to: "http") != nil)
    try folder.write("[MIME Cache]\nx-scheme-handler/http=b.desktop;\n", to: "share/applications/mimeinfo.cache")
    #expect(search.obstacle(to: "http") == nil && search.obstacle(to: "https") != nil)
    // An app that is gone is no handler.
    let choice = "[Default Applications]\nx-scheme-handler/https="
    try folder.write(choice + "gone.desktop\n", to: "home/.config/gnome-mimeapps.list")
    #expect(search.obstacle(to: "https") != nil)
    try folder.write(choice + "gone.desktop;b.desktop\n", to: "home/.config/gnome-mimeapps.list")
    #expect(search.finding(opener: "x").state == .good)
  }
}
