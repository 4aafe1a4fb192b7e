// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A battery, the mains and a USB socket, which [umockdev](https://github.com/martinpitt/umockdev) simulates for the
/// programs that load it: files of the kernel, and messages of udev. The real UPower runs on it.
struct SimulatedMachine {
  private static let upower = "/usr/libexec/upowerd"
  private static let library = "libumockdev-preload.so.0"
  /// Whether the programs are installed.
  static var isPossible: Bool {
    guard FileManager.default.isExecutableFile(atPath: upower) else { return false }
    let found = try? RunningProgram.run(
      "/usr/bin/python3", ["-c", "import gi; gi.require_version('UMockdev', '1.0')"], environment: [:])
    return found?.status == 0
  }

  let session: Session
  private let kernel: RunningProgram
  /// What a program needs to see this machine.
  private let variables: [String: String]

  /// Starts a session whose center runs on a new machine, and whose bus is also the bus of its system.
  init() throws {
    let folder = try TemporaryFolder()
    var environment = ProcessInfo.processInfo.environment.filter { $0.key == "PATH" }
    // The simulated files are in a folder of this one.
    environment["TMPDIR"] = folder.path("")
    environment["LD_PRELOAD"] = Self.library
    kernel = try RunningProgram("/usr/bin/python3", ["-c", Self.kernelSource], environment: environment)
    guard let root = kernel.readLine() else { throw TestFailure("no simulated kernel: \(kernel.errors)") }
    // The database of udev is not simulated.
    try folder.write("E:ID_VENDOR=Other\n", to: "udev/data/c189:1")
    let redirection = try PreloadedLibrary.build(Self.redirection, named: "udev", in: folder)
    variables = [
      "LD_PRELOAD": redirection + ":" + Self.library, "UMOCKDEV_DIR": root, "UDEV_FOLDER": folder.path("udev"),
    ]
    let words = variables.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    let center = try folder.write(
      "#!/bin/sh\nexec env \(words) '\(Session.programs)/suzud'\n", to: "center", executable: true)
    session = try Session(
      hasCenter: false, services: ["dev.suzu.Center": center],
      variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("bus")], in: folder)
  }

  /// Starts the real UPower.
  func startUPower() throws -> RunningProgram {
    let service = try RunningProgram(Self.upower, environment: session.environment.merging(variables) { $1 })
    guard try session.awaitOwner(of: "org.freedesktop.UPower") else {
      throw TestFailure("UPower does not start: \(service.errors)")
    }
    return service
  }

  /// Sets the charge of the battery, in percent.
  func setCharge(_ percent: Int) throws { try say("charge \(percent)") }

  /// Connects the mains, or disconnects them.
  func setMains(_ isConnected: Bool) throws { try say("mains \(isConnected ? 1 : 0)") }

  /// Plugs a security key in.
  func plugKey() throws { try say("plug") }

  /// Pulls it out.
  func pullKey() throws { try say("pull") }

  /// Removes the simulated files.
  func end() {
    kernel.closeInput()
    _ = kernel.waitForExit()
  }

  private func say(_ line: String) throws {
    kernel.say(line)
    guard kernel.readLine() == "done" else { throw TestFailure("'\(line)' failed: \(kernel.errors)") }
  }

  private static let kernelSource = """
    import sys, gi
    gi.require_version("UMockdev", "1.0")
    from gi.repository import UMockdev
    bed = UMockdev.Testbed.new()
    energy = 60000000
    battery = bed.add_device("power_supply", "BAT0", None, [
        "type", "Battery", "present", "1", "status", "Discharging", "energy_full", str(energy),
        "energy_full_design", str(energy), "energy_now", str(energy // 2), "voltage_now", "12000000",
        "power_now", "1000000", "capacity", "50"], [])
    mains = bed.add_device("power_supply", "AC", None, ["type", "Mains", "online", "0"], [])
    key = None
    print(bed.get_root_dir(), flush=True)
    for line in sys.stdin:
        word, *values = line.split()
        if word == "charge":
            bed.set_attribute(battery, "capacity", values[0])
            bed.set_attribute(battery, "energy_now", str(energy // 100 * int(values[0])))
            bed.uevent(battery, "change")
        elif word == "mains":
            bed.set_attribute(mains, "online", values[0])
            bed.uevent(mains, "change")
        elif word == "plug":
            key = bed.add_device("usb", "1-1", None, ["busnum", "1"], [
                "ID_VENDOR", "Yubico", "ID_MODEL", "Key_5", "DEVTYPE", "usb_device", "MAJOR", "189", "MINOR", "7"])
        elif word == "pull":
            bed.uevent(key, "remove")
            bed.remove_device(key)
        print("done", flush=True)
    """

  /// Lets a program find another folder in the place of `/run/udev`.
  private static let redirection = """
    #define _GNU_SOURCE
    #include <dirent.h>
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>

    #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

    static const char prefix[] = "/run/udev";
    static __thread char other[4096];

    static const char *path_of(const char *path) {
      const char *folder = getenv("UDEV_FOLDER");
      if (!folder || !path || strncmp(path, prefix, sizeof prefix - 1) != 0) return path;
      snprintf(other, sizeof other, "%s%s", folder, path + sizeof prefix - 1);
      return other;
    }
    DIR *opendir(const char *path) { return NEXT(opendir)(path_of(path)); }
    int stat(const char *path, struct stat *status) { return NEXT(stat)(path_of(path), status); }
    int stat64(const char *path, struct stat64 *status) { return NEXT(stat64)(path_of(path), status); }
    int open64(const char *path, int flags, ...) {
      va_list list;
      va_start(list, flags);
      int mode = va_arg(list, int);
      va_end(list);
      return NEXT(open64)(path_of(path), flags, mode);
    }
    int open(const char *path, int flags, ...) {
      va_list list;
      va_start(list, flags);
      int mode = va_arg(list, int);
      va_end(list);
      return NEXT(open)(path_of(path), flags, mode);
    }
    """
}
