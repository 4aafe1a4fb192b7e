// SPDX-License-Identifier: Apache-2.0
// The C client that ours is measured against; it calls the owner of NAME on the session bus.
//
//   client sync NAME N          N calls of Notify, each waiting for its reply           prints `sync_us 61.2`
//   client flight NAME N 64     N calls of Notify, 64 of them in flight                 prints `flight_us 21.3`
//   client flood NAME N 64      the same once, until the last one is at the server      prints `flood_us 30.7`
//   client wait NAME SECONDS    waits until NAME has an owner, at most SECONDS
//
// The numbers are microseconds per call: the median of several rounds of N calls, after a warm-up.

#include "bus.h"

enum { rounds = 5 };

static DBusConnection *connection;
static const char *server;

// A Notify call with two actions and the urgency, as a byte.
static DBusMessage *make_notify(void) {
  DBusMessage *call = dbus_message_new_method_call(server, "/org/freedesktop/Notifications",
                                                   "org.freedesktop.Notifications", "Notify");
  must(call != NULL);
  const dbus_uint32_t replaces = 0;
  const dbus_int32_t expires = -1;
  const unsigned char urgency = 1;
  DBusMessageIter arguments, actions, hints;
  dbus_message_iter_init_append(call, &arguments);
  append_string(&arguments, "bench");
  must(dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &replaces));
  append_string(&arguments, "");
  append_string(&arguments, "Standup in five minutes");
  append_string(&arguments, "Room 2, second floor");
  must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "s", &actions));
  append_string(&actions, "done");
  append_string(&actions, "Done");
  append_string(&actions, "snooze");
  append_string(&actions, "Snooze");
  must(dbus_message_iter_close_container(&arguments, &actions));
  must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &hints));
  append_entry(&hints, "urgency", "y", &urgency);
  must(dbus_message_iter_close_container(&arguments, &hints));
  must(dbus_message_iter_append_basic(&arguments, DBUS_TYPE_INT32, &expires));
  return call;
}

static void one_after_another(unsigned calls) {
  DBusBasicValue number;
  for (unsigned i = 0; i < calls; i++) call_and_wait(connection, make_notify(), DBUS_TYPE_UINT32, &number);
}

static void measure(const char *mode, unsigned calls, unsigned under_way) {
  double round_us[rounds];
  for (int round = -1; round < rounds; round++) {
    double began = microseconds();
    if (strcmp(mode, "flight") == 0) {
      call_many(connection, make_notify, DBUS_TYPE_UINT32, calls, under_way);
    } else {
      one_after_another(calls);
    }
    if (round >= 0) round_us[round] = (microseconds() - began) / calls;
  }
  printf("%s_us %.1f\n", mode, median(round_us, rounds));
}

// N calls with 64 under way: from the first one sent to the last one's arrival at the server.
static void flood(unsigned calls, unsigned under_way) {
  DBusBasicValue arrived;
  call_and_wait(connection, bench_call(server, "Begin", 0), DBUS_TYPE_UINT32, &arrived);
  double began = microseconds_of(CLOCK_REALTIME);
  call_many(connection, make_notify, DBUS_TYPE_UINT32, calls, under_way);
  call_and_wait(connection, bench_call(server, "Arrived", calls), DBUS_TYPE_DOUBLE, &arrived);
  printf("flood_us %.1f\n", (arrived.dbl - began) / calls);
}

// Add the match before the query, so that no owner is missed.
static void wait_for_owner(double seconds) {
  DBusError error = DBUS_ERROR_INIT;
  char rule[512];
  snprintf(rule, sizeof rule, "type='signal',sender='%s',member='NameOwnerChanged',arg0='%s'", DBUS_SERVICE_DBUS, server);
  dbus_bus_add_match(connection, rule, &error);
  if (dbus_error_is_set(&error)) fail(rule, error.message);
  double until = microseconds() + seconds * 1e6;
  while (!dbus_bus_name_has_owner(connection, server, NULL)) {
    double left = until - microseconds();
    if (left <= 0) fail(server, "no program owned it in time");
    dbus_connection_read_write(connection, (int)(left / 1e3) + 1);
    for (DBusMessage *message; (message = dbus_connection_pop_message(connection)) != NULL;) dbus_message_unref(message);
  }
}

int main(int argc, char **argv) {
  const char *mode = argc > 3 ? argv[1] : "";
  bool flying = strcmp(mode, "flight") == 0, flooding = strcmp(mode, "flood") == 0, waiting = strcmp(mode, "wait") == 0;
  bool known = flying || flooding || waiting || strcmp(mode, "sync") == 0;
  unsigned count = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
  unsigned under_way = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 64;
  if (!known || count == 0 || under_way == 0) fail("usage", "client sync|flight|flood|wait NAME N [UNDER-WAY]");
  server = argv[2];

  connection = open_bus();
  if (waiting) {
    wait_for_owner(count);
  } else if (flooding) {
    flood(count, under_way);
  } else {
    measure(mode, count, under_way);
  }
  close_bus(connection);
  return EXIT_SUCCESS;
}
