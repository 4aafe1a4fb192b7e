// SPDX-License-Identifier: Apache-2.0
// Measures the time from a click to the start of the program it runs, through the center and through a C program.
//
//   click measure N CENTER PEER SOCKET  acts as notification server: presses a button of CENTER's notification, then
//                                 one of PEER's, and so on; prints ours_us, peer_us and the median of the pairs' ratios
//   click peer NAME SOCKET        owns NAME; starts `click handler SOCKET` for each ActionInvoked
//   click handler SOCKET          sends its start time to SOCKET
//
// The peer trusts every sender and stores nothing: it is libdbus and posix_spawn, and no more.

#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "notifications.h"

extern char **environ;

static struct sockaddr_un address_of(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail(path, "too long for a socket");
  strcpy(address.sun_path, path);
  return address;
}

static int handler(const char *path) {
  double began = microseconds();
  struct sockaddr_un address = address_of(path);
  int out = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return sendto(out, &began, sizeof began, 0, (struct sockaddr *)&address, sizeof address) == sizeof began ? 0 : 1;
}

static int peer(char *self, const char *name, char *path) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = open_bus();
  signal(SIGCHLD, SIG_IGN);  // children need no wait
  if (dbus_bus_request_name(connection, name, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
      DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
    fail(name, "another program owns it");
  }
  char *words[] = {self, "handler", path, NULL};
  while (dbus_connection_read_write(connection, -1)) {
    for (DBusMessage *message; (message = dbus_connection_pop_message(connection)) != NULL;) {
      dbus_uint32_t number;
      const char *key;
      pid_t child;
      if (dbus_message_is_signal(message, "org.freedesktop.Notifications", "ActionInvoked") &&
          dbus_message_get_args(message, NULL, DBUS_TYPE_UINT32, &number, DBUS_TYPE_STRING, &key, DBUS_TYPE_INVALID) &&
          posix_spawnp(&child, self, NULL, NULL, words, environ) != 0) {
        fail(self, "cannot be started");
      }
      dbus_message_unref(message);
    }
  }
  close_bus(connection);
  return EXIT_SUCCESS;
}

// MARK: Measuring

static void append_strings(DBusMessageIter *to, const char **strings, int count) {
  DBusMessageIter list;
  must(dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "s", &list));
  for (int i = 0; i < count; i++) append_string(&list, strings[i]);
  must(dbus_message_iter_close_container(to, &list));
}

// Notify({title, id, actions: [{id, run: [SELF, "handler", SOCKET]}]})
static void notify(const char *center, const char *self, const char *path) {
  DBusMessage *call = dbus_message_new_method_call(center, "/dev/suzu/Center", "dev.suzu.Center1", "Notify");
  const char *title = "bench", *id = "go", *words[] = {self, "handler", path};
  DBusMessageIter arguments, request, entry, variant, actions, action, field, value;
  must(call != NULL);
  dbus_message_iter_init_append(call, &arguments);
  must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &request));
  append_entry(&request, "title", "s", &title);
  append_entry(&request, "id", "s", &id);
  must(dbus_message_iter_open_container(&request, DBUS_TYPE_DICT_ENTRY, NULL, &entry));
  append_string(&entry, "actions");
  must(dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "aa{sv}", &variant));
  must(dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "a{sv}", &actions));
  must(dbus_message_iter_open_container(&actions, DBUS_TYPE_ARRAY, "{sv}", &action));
  append_entry(&action, "id", "s", &id);
  must(dbus_message_iter_open_container(&action, DBUS_TYPE_DICT_ENTRY, NULL, &field));
  append_string(&field, "run");
  must(dbus_message_iter_open_container(&field, DBUS_TYPE_VARIANT, "as", &value));
  append_strings(&value, words, 3);
  must(dbus_message_iter_close_container(&field, &value));
  must(dbus_message_iter_close_container(&action, &field));
  must(dbus_message_iter_close_container(&actions, &action));
  must(dbus_message_iter_close_container(&variant, &actions));
  must(dbus_message_iter_close_container(&entry, &variant));
  must(dbus_message_iter_close_container(&request, &entry));
  must(dbus_message_iter_close_container(&arguments, &request));
  must(dbus_connection_send(connection, call, NULL));
  dbus_message_unref(call);
}

// Presses the button for the owner of `name`; returns the time until the program started.
static double press(const char *name, int in) {
  const char *key = "go";
  double began;
  DBusMessage *signal =
      dbus_message_new_signal("/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked");
  must(signal != NULL && dbus_message_set_destination(signal, name) &&
       dbus_message_append_args(signal, DBUS_TYPE_UINT32, &last_number, DBUS_TYPE_STRING, &key, DBUS_TYPE_INVALID));
  double start = microseconds();
  must(dbus_connection_send(connection, signal, NULL));
  dbus_connection_flush(connection);
  if (recv(in, &began, sizeof began, 0) != sizeof began) fail("click", "no program started within ten seconds");
  dbus_message_unref(signal);
  return began - start;
}

static int measure(const char *self, size_t rounds, const char *center, const char *rival, const char *path) {
  enum { quiet_ms = 15 };
  double ours[rounds], theirs[rounds], ratios[rounds];
  DBusError error = DBUS_ERROR_INIT;
  struct sockaddr_un address = address_of(path);
  struct timeval limit = {.tv_sec = 10};
  int in = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (bind(in, (struct sockaddr *)&address, sizeof address) != 0) fail(path, "cannot be made");
  setsockopt(in, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  connection = open_bus();
  dbus_bus_request_name(connection, "org.freedesktop.Notifications", DBUS_NAME_FLAG_DO_NOT_QUEUE, &error);
  serve(0, quiet_ms);
  for (size_t i = 0; i < rounds; i++) {
    // Finish the work of the previous round first, so that it does not count.
    notify(center, self, path);
    serve(i + 1, quiet_ms);
    ours[i] = press(center, in);
    serve(0, quiet_ms);
    theirs[i] = press(rival, in);
    ratios[i] = ours[i] / theirs[i];
  }
  printf("ours_us %.1f\npeer_us %.1f\n", median(ours, rounds), median(theirs, rounds));
  printf("ratio %.3f\n", median(ratios, rounds));
  unlink(path);
  close_bus(connection);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  const char *role = argc > 2 ? argv[1] : "";
  if (strcmp(role, "handler") == 0 && argc == 3) return handler(argv[2]);
  if (strcmp(role, "peer") == 0 && argc == 4) return peer(argv[0], argv[2], argv[3]);
  if (strcmp(role, "measure") == 0 && argc == 6) {
    size_t rounds = strtoul(argv[2], NULL, 10);
    if (rounds > 0 && rounds <= 10000) return measure(argv[0], rounds, argv[3], argv[4], argv[5]);
  }
  fputs("usage: click measure N CENTER PEER SOCKET | click peer NAME SOCKET | click handler SOCKET\n", stderr);
  return 64;
}
