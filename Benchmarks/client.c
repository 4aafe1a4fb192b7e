// SPDX-License-Identifier: Apache-2.0
// The C client that ours is measured against; it talks to whoever owns NAME on the session bus.
//
//   client sync NAME N          N calls of Notify, each waiting for its reply           prints `sync_us 61.2`
//   client flight NAME N 64     N calls of Notify, 64 of them under way at any time     prints `flight_us 21.3`
//   client center NAME N        N calls of dev.suzu.Center1.Notify, one after another   prints `center_us 70.1`
//   client wait NAME SECONDS    returns once NAME has an owner, fails if it has none by then
//
// The numbers are microseconds a call: the median of several rounds of N calls, after one that does not count.

#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { rounds = 5, time_limit_ms = 20000 };

static DBusConnection *connection;
static const char *server;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "client: %s: %s\n", what, why);
  exit(EXIT_FAILURE);
}

// Appending fails only without memory, and then nothing that is measured has a meaning.
static void must(dbus_bool_t done) {
  if (!done) fail("libdbus", "out of memory");
}

static void append_string(DBusMessageIter *to, const char *string) {
  must(dbus_message_iter_append_basic(to, DBUS_TYPE_STRING, &string));
}

static void append_entry(DBusMessageIter *to, const char *key, const char *type, const void *value) {
  DBusMessageIter entry, variant;
  must(dbus_message_iter_open_container(to, DBUS_TYPE_DICT_ENTRY, NULL, &entry));
  append_string(&entry, key);
  must(dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant));
  must(dbus_message_iter_append_basic(&variant, type[0], value));
  must(dbus_message_iter_close_container(&entry, &variant));
  must(dbus_message_iter_close_container(to, &entry));
}

// Notify of the desktop's servers: two actions and the urgency, as a byte.
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

// Notify of the center. Its date is far away, so that no popup is part of what is measured, and its id is always the
// same, so that each request replaces the one before.
static DBusMessage *make_request(void) {
  DBusMessage *call = dbus_message_new_method_call(server, "/dev/suzu/Center", "dev.suzu.Center1", "Notify");
  must(call != NULL);
  static const char *words[][2] = {{"id", "bench"},
                                   {"title", "Standup in five minutes"},
                                   {"body", "Room 2, second floor"},
                                   {"level", "active"},
                                   {"in", "2d"}};
  DBusMessageIter arguments, request;
  dbus_message_iter_init_append(call, &arguments);
  must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &request));
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) append_entry(&request, words[i][0], "s", &words[i][1]);
  must(dbus_message_iter_close_container(&arguments, &request));
  return call;
}

// The reply is read, and given back to libdbus.
static void take(DBusMessage *reply, int type) {
  DBusMessageIter values;
  DBusBasicValue value;
  if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) {
    const char *text = "";
    dbus_message_get_args(reply, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    fprintf(stderr, "client: %s: %s\n", dbus_message_get_error_name(reply), text);
    exit(EXIT_FAILURE);
  }
  if (!dbus_message_iter_init(reply, &values) || dbus_message_iter_get_arg_type(&values) != type) {
    fail(server, "a reply of another type");
  }
  dbus_message_iter_get_basic(&values, &value);
  dbus_message_unref(reply);
}

static void one_after_another(DBusMessage *(*make)(void), int reply_type, unsigned calls) {
  for (unsigned i = 0; i < calls; i++) {
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *call = make();
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(connection, call, time_limit_ms, &error);
    if (reply == NULL) fail(error.name, error.message);
    dbus_message_unref(call);
    take(reply, reply_type);
  }
}

struct flight {
  unsigned to_send, to_receive;
};

static void send_next(struct flight *flight);

static void received(DBusPendingCall *pending, void *context) {
  struct flight *flight = context;
  take(dbus_pending_call_steal_reply(pending), DBUS_TYPE_UINT32);
  dbus_pending_call_unref(pending);
  flight->to_receive--;
  send_next(flight);
}

static void send_next(struct flight *flight) {
  if (flight->to_send == 0) return;
  flight->to_send--;
  DBusPendingCall *pending;
  DBusMessage *call = make_notify();
  must(dbus_connection_send_with_reply(connection, call, &pending, time_limit_ms) && pending != NULL);
  must(dbus_pending_call_set_notify(pending, received, flight, NULL));
  dbus_message_unref(call);
}

static void many_under_way(unsigned calls, unsigned under_way) {
  struct flight flight = {.to_send = calls, .to_receive = calls};
  for (unsigned i = 0; i < under_way; i++) send_next(&flight);
  while (flight.to_receive > 0) {
    if (!dbus_connection_read_write_dispatch(connection, -1)) fail(server, "the bus is gone");
  }
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int compare(const void *left, const void *right) {
  double l = *(const double *)left, r = *(const double *)right;
  return (l > r) - (l < r);
}

static void measure(const char *mode, unsigned calls, unsigned under_way) {
  double round_us[rounds];
  for (int round = -1; round < rounds; round++) {
    double began = microseconds();
    if (strcmp(mode, "flight") == 0) {
      many_under_way(calls, under_way);
    } else if (strcmp(mode, "center") == 0) {
      one_after_another(make_request, DBUS_TYPE_STRING, calls);
    } else {
      one_after_another(make_notify, DBUS_TYPE_UINT32, calls);
    }
    if (round >= 0) round_us[round] = (microseconds() - began) / calls;
  }
  qsort(round_us, rounds, sizeof round_us[0], compare);
  printf("%s_us %.1f\n", mode, round_us[rounds / 2]);
}

// The match comes before the question, so that an owner who comes in between is not missed.
static void wait_for_owner(double seconds) {
  DBusError error = DBUS_ERROR_INIT;
  char rule[512];
  snprintf(rule, sizeof rule, "type='signal',sender='%s',member='NameOwnerChanged',arg0='%s'", DBUS_SERVICE_DBUS, server);
  dbus_bus_add_match(connection, rule, &error);
  if (dbus_error_is_set(&error)) fail(rule, error.message);
  double until = microseconds() + seconds * 1e6;
  while (!dbus_bus_name_has_owner(connection, server, NULL)) {
    double left = until - microseconds();
    if (left <= 0) fail(server, "nobody came to own it in time");
    dbus_connection_read_write(connection, (int)(left / 1e3) + 1);
    for (DBusMessage *message; (message = dbus_connection_pop_message(connection)) != NULL;) dbus_message_unref(message);
  }
}

int main(int argc, char **argv) {
  const char *mode = argc > 3 ? argv[1] : "";
  bool flight = strcmp(mode, "flight") == 0, wait = strcmp(mode, "wait") == 0;
  bool known = flight || wait || strcmp(mode, "sync") == 0 || strcmp(mode, "center") == 0;
  unsigned count = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
  unsigned under_way = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 64;
  if (!known || count == 0 || under_way == 0) fail("usage", "client sync|flight|center|wait NAME N [UNDER-WAY]");
  server = argv[2];

  DBusError error = DBUS_ERROR_INIT;
  connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (connection == NULL) fail("no session bus", error.message);
  dbus_connection_set_exit_on_disconnect(connection, FALSE);
  if (wait) {
    wait_for_owner(count);
  } else {
    measure(mode, count, under_way);
  }
  dbus_connection_close(connection);
  dbus_connection_unref(connection);
  return EXIT_SUCCESS;
}
