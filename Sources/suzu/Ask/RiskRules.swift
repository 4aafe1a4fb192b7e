// SPDX-License-Identifier: Apache-2.0

extension Risk {
  /// What is known about programs. The first rule that fits counts, so that the special ones come first.
  static let rules: [Rule] = files + disks + versions + clusters + machine + network + packages

  private static let files = [
    Rule(["rm"], flags: ["-r", "-R", "-f", "--recursive", "--force"], .high, "deletes files for good"),
    Rule(["rm", "unlink", "rmdir"], .medium, "deletes files"),
    Rule(["shred", "srm"], .high, "destroys files"),
    Rule(["find"], flags: ["-delete"], .high, "deletes files for good"),
    Rule(["chmod", "chown", "chgrp"], flags: ["-R", "--recursive"], .high, "changes rights of whole folders"),
    Rule(["chmod"], word: "777", .medium, "lets everybody write"),
    Rule(["truncate"], .medium, "cuts files"),
    Rule(["mv"], flags: ["-f"], .medium, "replaces files"),
  ]

  private static let disks = [
    Rule(["dd"], .high, "writes to files or devices directly"),
    Rule(
      [
        "mkfs", "mke2fs", "mkswap", "wipefs", "fdisk", "sfdisk", "gdisk", "sgdisk", "parted", "cryptsetup",
        "blkdiscard",
      ],
      .high, "erases or partitions disks"),
    Rule(["mount", "umount", "losetup"], .medium, "mounts file systems"),
  ]

  private static let versions = [
    Rule(
      ["git"], word: "push", flags: ["-f", "--force", "--force-with-lease", "--mirror", "--delete", "-d", "--prune"],
      .high, "rewrites or deletes on the remote side"),
    Rule(["git"], word: "push", .medium, "publishes commits"),
    Rule(["git"], word: "reset", flags: ["--hard"], .high, "discards changes"),
    Rule(["git"], word: "clean", flags: ["-f", "--force"], .high, "deletes files that git does not know"),
    Rule(["git"], word: "filter-branch", .high, "rewrites history"),
    Rule(["git"], word: "filter-repo", .high, "rewrites history"),
    Rule(["git"], word: "branch", flags: ["-D"], .medium, "deletes branches"),
    Rule(["git"], word: "restore", .medium, "discards changes"),
    Rule(["git"], word: "checkout", flags: ["-f", "--force", "--"], .medium, "discards changes"),
    Rule(["git"], word: "rebase", .medium, "rewrites history"),
    Rule(["gh", "glab"], word: "delete", .high, "deletes on the remote side"),
  ]

  private static let clusters = [
    Rule(["kubectl", "oc"], word: "delete", .high, "deletes from a cluster"),
    Rule(["kubectl", "oc"], word: "drain", .high, "empties a node of a cluster"),
    Rule(["kubectl", "oc"], word: "apply", .medium, "changes a cluster"),
    Rule(["helm"], word: "uninstall", .high, "deletes from a cluster"),
    Rule(["helm"], word: "delete", .high, "deletes from a cluster"),
    Rule(["terraform", "tofu", "pulumi", "cdk"], word: "destroy", .high, "destroys infrastructure"),
    Rule(["terraform", "tofu"], flags: ["-destroy"], .high, "destroys infrastructure"),
    Rule(["terraform", "tofu"], word: "apply", .medium, "changes infrastructure"),
    Rule(["docker", "podman"], word: "prune", .high, "deletes containers, images or volumes"),
    Rule(["docker", "podman"], word: "volume", flags: ["rm"], .high, "deletes volumes"),
    Rule(["docker", "podman"], word: "rm", .medium, "deletes containers"),
    Rule(["aws", "gcloud", "az", "gsutil", "doctl"], word: "delete", .high, "deletes in the cloud"),
    Rule(["aws"], word: "terminate-instances", .high, "destroys machines"),
    Rule(["aws", "gsutil"], word: "rb", .high, "deletes in the cloud"),
    Rule(["dropdb", "dropuser"], .high, "deletes a database"),
  ]

  private static let machine = [
    Rule(["shutdown", "reboot", "poweroff", "halt", "init"], .high, "stops the machine"),
    Rule(["systemctl"], word: "poweroff", .high, "stops the machine"),
    Rule(["systemctl"], word: "reboot", .high, "stops the machine"),
    Rule(["systemctl"], word: "stop", .medium, "stops services"),
    Rule(["systemctl"], word: "disable", .medium, "disables services"),
    Rule(["systemctl"], word: "mask", .medium, "disables services"),
    Rule(["kill", "pkill", "killall"], .medium, "ends programs"),
    Rule(["crontab"], flags: ["-r"], .high, "deletes scheduled jobs"),
    Rule(["useradd", "userdel", "usermod", "passwd", "visudo"], .high, "changes users"),
    Rule(["iptables", "nft", "ufw"], .high, "changes the firewall"),
    Rule(["sysctl", "modprobe", "insmod", "rmmod"], .high, "changes the kernel"),
    Rule(["su", "pkexec", "run0"], .high, "acts as another user"),
  ]

  private static let network = [
    Rule(["rsync"], flags: ["--delete"], .high, "deletes files on the other side"),
    Rule(
      ["curl", "wget", "http", "https"],
      flags: ["-d", "-F", "-T", "--data", "--data-binary", "--upload-file", "--form", "--post-data", "--post-file"],
      .medium, "sends data over the network"),
    Rule(["scp", "sftp", "rsync", "rclone", "nc", "ncat", "socat", "ftp"], .medium, "copies over the network"),
    Rule(["ssh"], .medium, "acts on another machine"),
    Rule(["curl", "wget", "http", "https"], .low, "reads from the network"),
  ]

  private static let packages = [
    Rule(["npm", "pnpm", "yarn", "cargo", "twine", "gem", "poetry"], word: "publish", .high, "publishes a package"),
    Rule(["twine"], word: "upload", .high, "publishes a package"),
    Rule(["gem"], word: "push", .high, "publishes a package"),
    Rule(["apt", "apt-get", "dnf", "pacman", "zypper", "dpkg"], .medium, "changes the installed software"),
    Rule(
      ["pip", "pip3", "pipx", "npm", "pnpm", "yarn", "gem", "cargo"], word: "install", .medium, "installs software"),
    Rule(["npx", "uvx"], .medium, "runs downloaded software"),
  ]

  /// Statements that destroy data, whatever program gets them.
  static let statements = [
    (["drop", "table"], "deletes a table"), (["drop", "database"], "deletes a database"),
    (["drop", "schema"], "deletes a schema"), (["truncate", "table"], "empties a table"),
    (["delete", "from"], "deletes rows"),
  ]

  /// The folders of the system.
  static let systemFolders = ["/etc/", "/boot/", "/usr/", "/dev/", "/sys/", "/proc/", "/lib/", "/bin/", "/sbin/"]

  /// Parts of paths whose change gives rights away, or changes what runs later.
  static let delicateParts = [
    "/.ssh/", "/.gnupg/", "/.aws/", "/.kube/", "/.config/autostart/", "/.config/systemd/", "/.git/hooks/", "/.bashrc",
    "/.bash_profile", "/.profile", "/.zshrc", "/.netrc",
  ]

  /// Tools that change the file that they name.
  static let writers: Set<String> = [
    "write", "edit", "multiedit", "notebookedit", "write_file", "replace", "create", "create_file", "edit_file",
    "str_replace_editor", "apply_patch", "delete", "delete_file",
  ]
}
