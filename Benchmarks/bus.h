// SPDX-License-Identifier: Apache-2.0
// Shared by the C programs that use libdbus.

#ifndef SUZU_BENCH_BUS_H
#define SUZU_BENCH_BUS_H

#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "measure.h"

// Appending fails only when memory is exhausted.
static inline void must(dbus_bool_t done) {
  if (!done) fail("libdbus", "out of memory");
}

static inline DBusConnection *open_bus(void) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (connection == NULL) fail("no session bus", error.message);
  dbus_connection_set_exit_on_disconnect(connection, FALSE);
  return connection;
}

static inline void close_bus(DBusConnection *connection) {
  dbus_connection_close(connection);
  dbus_connection_unref(connection);
}

static inline void append_string(DBusMessageIter *to, const char *string) {
  must(dbus_message_iter_append_basic(to, DBUS_TYPE_STRING, &string));
}

static inline void append_entry(DBusMessageIter *to, const char *key, const char *type, const void *value) {
  DBusMessageIter entry, variant;
  must(dbus_message_iter_open_container(to, DBUS_TYPE_DICT_ENTRY, NULL, &entry));
  append_string(&entry, key);
  must(dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant));
  must(dbus_message_iter_append_basic(&variant, type[0], value));
  must(dbus_message_iter_close_container(&entry, &variant));
  must(dbus_message_iter_close_container(to, &entry));
}

static inline void append_empty(DBusMessageIter *to, const char *type) {
  DBusMessageIter list;
  must(dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, type, &list));
  must(dbus_message_iter_close_container(to, &list));
}

// Sends Notify for a notification of nothing but texts, as a C program would; the reply comes later.
static inline void send_notify(DBusConnection *connection, const char *body) {
  const char *server = "org.freedesktop.Notifications", *texts[] = {"bench", "", body, ""};
  dbus_uint32_t none = 0;
  dbus_int32_t usual = -1;
  DBusMessageIter arguments;
  DBusMessage *call = dbus_message_new_method_call(server, "/org/freedesktop/Notifications", server, "Notify");
  must(call != NULL);
  dbus_message_iter_init_append(call, &arguments);
  append_string(&arguments, texts[0]);
  must(dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &none));
  for (int i = 1; i < 4; i++) append_string(&arguments, texts[i]);
  append_empty(&arguments, "s");
  append_empty(&arguments, "{sv}");
  must(dbus_message_iter_append_basic(&arguments, DBUS_TYPE_INT32, &usual));
  must(dbus_connection_send(connection, call, NULL));
  dbus_message_unref(call);
}

// Reads and releases a reply; stores a basic value in `value`.
static inline void take(DBusMessage *reply, int type, DBusBasicValue *value) {
  DBusMessageIter values;
  if (dbus_message_get_type(reply) == DBUS_MESSAGE_TYPE_ERROR) {
    const char *text = "";
    dbus_message_get_args(reply, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    fail(dbus_message_get_error_name(reply), text);
  }
  if (!dbus_message_iter_init(reply, &values) || dbus_message_iter_get_arg_type(&values) != type) {
    fail("reply", "of another type");
  }
  if (dbus_type_is_basic(type)) dbus_message_iter_get_basic(&values, value);
  dbus_message_unref(reply);
}

// Sends a call, releases it, and waits for its reply.
static inline void call_and_wait(DBusConnection *connection, DBusMessage *call, int type, DBusBasicValue *value) {
  enum { time_limit_ms = 60000 };
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(connection, call, time_limit_ms, &error);
  if (reply == NULL) fail(error.name, error.message);
  dbus_message_unref(call);
  take(reply, type, value);
}

// Calls a method of the bench server: Begin() -> u, Arrived(u) -> d, Late(u) -> d.
static inline DBusMessage *bench_call(const char *server, const char *member, dbus_uint32_t count) {
  DBusMessage *call = dbus_message_new_method_call(server, "/dev/suzu/Bench", "dev.suzu.Bench1", member);
  must(call != NULL && dbus_message_append_args(call, DBUS_TYPE_UINT32, &count, DBUS_TYPE_INVALID));
  return call;
}

// A number of calls made by `make`, several of them in flight at a time.
struct flight {
  DBusConnection *connection;
  DBusMessage *(*make)(void);
  int reply_type;
  unsigned to_send, to_receive;
};

static void send_next(struct flight *flight);

static inline void received(DBusPendingCall *pending, void *context) {
  struct flight *flight = context;
  DBusBasicValue value;
  take(dbus_pending_call_steal_reply(pending), flight->reply_type, &value);
  dbus_pending_call_unref(pending);
  flight->to_receive--;
  send_next(flight);
}

static inline void send_next(struct flight *flight) {
  if (flight->to_send == 0) return;
  flight->to_send--;
  DBusPendingCall *pending;
  DBusMessage *call = flight->make();
  must(dbus_connection_send_with_reply(flight->connection, call, &pending, 60000) && pending != NULL);
  must(dbus_pending_call_set_notify(pending, received, flight, NULL));
  dbus_message_unref(call);
}

static inline void call_many(
    DBusConnection *connection, DBusMessage *(*make)(void), int reply_type, unsigned calls, unsigned under_way) {
  struct flight flight = {connection, make, reply_type, calls, calls};
  for (unsigned i = 0; i < under_way; i++) send_next(&flight);
  while (flight.to_receive > 0) {
    if (!dbus_connection_read_write_dispatch(connection, -1)) fail("bus", "it is gone");
  }
}

#endif
