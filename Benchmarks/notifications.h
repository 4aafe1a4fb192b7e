// SPDX-License-Identifier: Apache-2.0
// A notification server that only assigns numbers, for the C programs that measure what leads to a notification, or
// follows from one.

#ifndef SUZU_BENCH_NOTIFICATIONS_H
#define SUZU_BENCH_NOTIFICATIONS_H

#include "bus.h"

static DBusConnection *connection;
static dbus_uint32_t last_number;
// When the last number was assigned.
static double last_posted;

static inline void answer(DBusMessage *call) {
  const char *member = dbus_message_get_member(call);
  const char *texts[] = {"actions", "body"}, **list = texts;
  DBusMessage *reply = dbus_message_new_method_return(call);
  must(reply != NULL);
  if (strcmp(member, "Notify") == 0) {
    last_posted = microseconds();
    last_number++;
    must(dbus_message_append_args(reply, DBUS_TYPE_UINT32, &last_number, DBUS_TYPE_INVALID));
  } else if (strcmp(member, "GetCapabilities") == 0) {
    must(dbus_message_append_args(reply, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &list, 2, DBUS_TYPE_INVALID));
  } else if (strcmp(member, "GetServerInformation") == 0) {
    for (int i = 0; i < 4; i++) must(dbus_message_append_args(reply, DBUS_TYPE_STRING, &texts[0], DBUS_TYPE_INVALID));
  }
  must(dbus_connection_send(connection, reply, NULL));
  dbus_message_unref(reply);
}

// Answers calls until `number` was assigned and the bus was quiet for the given time.
static inline void serve(dbus_uint32_t number, int milliseconds) {
  double start = microseconds(), last = start;
  while (last_number < number || microseconds() - last < milliseconds * 1e3) {
    if (microseconds() - start > 60e6) fail("notifications", "none came within a minute");
    if (!dbus_connection_read_write(connection, milliseconds)) fail("bus", "it is gone");
    for (DBusMessage *message; (message = dbus_connection_pop_message(connection)) != NULL;) {
      last = microseconds();
      if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL) answer(message);
      if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR) fail("center", dbus_message_get_error_name(message));
      dbus_message_unref(message);
    }
  }
}

#endif
