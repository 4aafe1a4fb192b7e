// SPDX-License-Identifier: Apache-2.0
// starts N NAME PROGRAM OURS PEER: starts PROGRAM N times with $XDG_DATA_HOME=OURS and, alternating, with =PEER, from
// spawn until it owns NAME on the session bus; then ends it with SIGTERM. Prints medians and the median of the N ratios,
// like pairs.c, and the longest time that OURS took to end, `end_us 3120.4`.
//
// starts N NAME PROGRAM OURS -- COMMAND…: the same against another program.

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus.h"

static DBusConnection *connection;
static const char *name;

// Waits until NAME has an owner, or no owner.
static void wait_until(bool is_owned) {
  for (;;) {
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(connection)) != NULL) {
      const char *whose, *old, *new;
      bool is_it = dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged") &&
                   dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &whose, DBUS_TYPE_STRING, &old,
                                         DBUS_TYPE_STRING, &new, DBUS_TYPE_INVALID) &&
                   strcmp(whose, name) == 0 && (new[0] != 0) == is_owned;
      dbus_message_unref(message);
      if (is_it) return;
    }
    if (!dbus_connection_read_write(connection, 10000)) fail("bus", "it is gone");
  }
}

// Returns how long the start took, and stores how long the end took.
static double start(const char *home, char **command, double *end) {
  pid_t child;
  int status;
  posix_spawn_file_actions_t silence;
  must(posix_spawn_file_actions_init(&silence) == 0);
  must(posix_spawn_file_actions_addopen(&silence, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0);
  setenv("XDG_DATA_HOME", home, 1);
  double began = microseconds();
  if (posix_spawnp(&child, command[0], &silence, NULL, command, environ) != 0) fail(command[0], "cannot be started");
  wait_until(true);
  double took = microseconds() - began;
  posix_spawn_file_actions_destroy(&silence);
  double asked = microseconds();
  kill(child, SIGTERM);
  if (waitpid(child, &status, 0) != child) fail(command[0], "lost");
  *end = microseconds() - asked;
  // A program in C has no handler for the signal.
  if (status != 0 && status != SIGTERM) fail(command[0], "did not end well");
  wait_until(false);
  return took;
}

int main(int argc, char **argv) {
  bool is_other = argc > 6 && strcmp(argv[5], "--") == 0;
  size_t count = argc == 6 || is_other ? strtoul(argv[1], NULL, 10) : 0;
  if (count == 0) fail("usage", "starts N NAME PROGRAM OURS PEER, or starts N NAME PROGRAM OURS -- COMMAND…");
  name = argv[2];
  char *ours[] = {argv[3], NULL};
  char **peer = is_other ? argv + 6 : ours;
  const char *peer_home = is_other ? argv[4] : argv[5];
  connection = open_bus();
  DBusError error = DBUS_ERROR_INIT;
  char rule[512];
  snprintf(rule, sizeof rule, "type='signal',sender='%s',member='NameOwnerChanged',arg0='%s'", DBUS_SERVICE_DBUS, name);
  dbus_bus_add_match(connection, rule, &error);
  if (dbus_error_is_set(&error)) fail(rule, error.message);
  if (dbus_bus_name_has_owner(connection, name, NULL)) fail(name, "a program already owns it");

  double *ours_us = calloc(count, sizeof *ours_us), *peer_us = calloc(count, sizeof *peer_us);
  double *ratio = calloc(count, sizeof *ratio);
  must(ours_us != NULL && peer_us != NULL && ratio != NULL);
  // A warm-up for each: the first start reads the programs from disk.
  double end, other, longest = 0;
  start(argv[4], ours, &end);
  start(peer_home, peer, &other);
  for (size_t i = 0; i < count; i++) {
    ours_us[i] = start(argv[4], ours, &end);
    peer_us[i] = start(peer_home, peer, &other);
    ratio[i] = ours_us[i] / peer_us[i];
    if (end > longest) longest = end;
  }
  printf("ours_us %.1f\npeer_us %.1f\n", median(ours_us, count), median(peer_us, count));
  printf("ratio %.2f\nend_us %.1f\n", median(ratio, count), longest);
  close_bus(connection);
  return EXIT_SUCCESS;
}
