// SPDX-License-Identifier: Apache-2.0
// Measures the time from a signal on the bus to the notification that it leads to, through the center and through a C
// program.
//
//   event measure N CENTER     acts as notification server: sends a signal that CENTER waits for, then one that the peer
//                              waits for, and so on; prints ours_us, peer_us and the median of the pairs' ratios
//   event walk N CENTER        the same for CENTER alone, which has a request for that signal already, and presses the
//                              button `go` of each of its notifications: for Scripts/order
//   event peer NAME            owns NAME; calls Notify at the server for each of its signals
//
// The peer stores nothing: it is libdbus, and no more.

#include <unistd.h>

#include "notifications.h"

static const char *server = "org.freedesktop.Notifications", *interface = "dev.suzu.Bench";

static void own(DBusConnection *connection, const char *name) {
  DBusError error = DBUS_ERROR_INIT;
  if (dbus_bus_request_name(connection, name, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
      DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
    fail(name, "another program owns it");
  }
}

// MARK: The peer

static int peer(const char *name) {
  DBusConnection *connection = open_bus();
  DBusError error = DBUS_ERROR_INIT;
  own(connection, name);
  dbus_bus_add_match(connection, "type='signal',interface='dev.suzu.Bench',member='Theirs'", &error);
  while (dbus_connection_read_write(connection, -1)) {
    for (DBusMessage *message; (message = dbus_connection_pop_message(connection)) != NULL;) {
      if (dbus_message_is_signal(message, interface, "Theirs")) send_notify(connection, "bench");
      dbus_message_unref(message);
    }
  }
  close_bus(connection);
  return EXIT_SUCCESS;
}

// MARK: Measuring

// Notify({title, id, on: "signal dev.suzu.Bench.Ours", repeat, cooldown})
static void notify(const char *center) {
  DBusMessage *call = dbus_message_new_method_call(center, "/dev/suzu/Center", "dev.suzu.Center1", "Notify");
  const char *title = "bench", *on = "signal dev.suzu.Bench.Ours", *pause = "1ms";
  dbus_bool_t repeats = TRUE;
  DBusMessageIter arguments, request;
  must(call != NULL);
  dbus_message_iter_init_append(call, &arguments);
  must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &request));
  append_entry(&request, "title", "s", &title);
  append_entry(&request, "id", "s", &title);
  append_entry(&request, "on", "s", &on);
  append_entry(&request, "cooldown", "s", &pause);
  append_entry(&request, "repeat", "b", &repeats);
  must(dbus_message_iter_close_container(&arguments, &request));
  must(dbus_connection_send(connection, call, NULL));
  dbus_message_unref(call);
}

// Sends the signal, and returns the time until a notification came.
static double happen(const char *member, int quiet_ms) {
  DBusMessage *signal = dbus_message_new_signal("/dev/suzu/Bench", interface, member);
  must(signal != NULL);
  double start = microseconds();
  must(dbus_connection_send(connection, signal, NULL));
  dbus_connection_flush(connection);
  dbus_message_unref(signal);
  serve(last_number + 1, quiet_ms);
  return last_posted - start;
}

static int measure(size_t rounds, const char *center) {
  enum { quiet_ms = 15, long_ms = 500 };
  double ours[rounds], theirs[rounds], ratios[rounds];
  connection = open_bus();
  own(connection, server);
  serve(0, long_ms);
  notify(center);
  serve(0, long_ms);
  // The first ones are slower on both sides.
  happen("Ours", quiet_ms);
  happen("Theirs", quiet_ms);
  for (size_t i = 0; i < rounds; i++) {
    ours[i] = happen("Ours", quiet_ms);
    theirs[i] = happen("Theirs", quiet_ms);
    ratios[i] = ours[i] / theirs[i];
  }
  printf("ours_us %.1f\npeer_us %.1f\n", median(ours, rounds), median(theirs, rounds));
  printf("ratio %.3f\n", median(ratios, rounds));
  close_bus(connection);
  return EXIT_SUCCESS;
}

static void press(const char *center) {
  const char *key = "go";
  DBusMessage *signal =
      dbus_message_new_signal("/org/freedesktop/Notifications", "org.freedesktop.Notifications", "ActionInvoked");
  must(signal != NULL && dbus_message_set_destination(signal, center) &&
       dbus_message_append_args(signal, DBUS_TYPE_UINT32, &last_number, DBUS_TYPE_STRING, &key, DBUS_TYPE_INVALID));
  must(dbus_connection_send(connection, signal, NULL));
  dbus_message_unref(signal);
}

static int walk(size_t rounds, const char *center) {
  enum { quiet_ms = 100 };
  connection = open_bus();
  own(connection, server);
  serve(0, 10 * quiet_ms);
  for (size_t i = 0; i < rounds; i++) {
    happen("Ours", quiet_ms);
    press(center);
    serve(0, quiet_ms);
  }
  close_bus(connection);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  const char *role = argc > 2 ? argv[1] : "";
  if (strcmp(role, "peer") == 0 && argc == 3) return peer(argv[2]);
  if (argc == 4) {
    size_t rounds = strtoul(argv[2], NULL, 10);
    if (rounds > 0 && rounds <= 10000 && strcmp(role, "measure") == 0) return measure(rounds, argv[3]);
    if (rounds > 0 && rounds <= 10000 && strcmp(role, "walk") == 0) return walk(rounds, argv[3]);
  }
  fputs("usage: event measure N CENTER | event walk N CENTER | event peer NAME\n", stderr);
  return 64;
}
