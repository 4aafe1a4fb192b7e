// SPDX-License-Identifier: Apache-2.0
// server NAME: owns NAME on the session bus and answers, reading every argument it is sent:
//
//   org.freedesktop.Notifications  Notify(susssasa{sv}i) -> u, GetCapabilities, GetServerInformation, CloseNotification
//   dev.suzu.Center1               Notify(a{sv}) -> s       what the center is asked, without a center
//   dev.suzu.Bench1                Echo(any) -> u           the number of arguments
//
// It is the peer that ours are measured against: one connection, one thread, nothing between libdbus and the answer. It
// prints `ready` once it has the name, and ends when its bus does.

#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *why) {
  fprintf(stderr, "server: %s: %s\n", what, why);
  exit(EXIT_FAILURE);
}

// Reads values to the end, descending into containers; returns how many basic values there were. A server that answers
// without looking would be faster than any real one.
static unsigned read_all(DBusMessageIter *values) {
  unsigned count = 0;
  for (int type; (type = dbus_message_iter_get_arg_type(values)) != DBUS_TYPE_INVALID; dbus_message_iter_next(values)) {
    if (dbus_type_is_container(type)) {
      DBusMessageIter inner;
      dbus_message_iter_recurse(values, &inner);
      count += read_all(&inner);
    } else {
      DBusBasicValue value;
      dbus_message_iter_get_basic(values, &value);
      count++;
    }
  }
  return count;
}

static bool append_strings(DBusMessage *reply, const char **strings, int count) {
  return dbus_message_append_args(reply, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &strings, count, DBUS_TYPE_INVALID);
}

static bool append_string(DBusMessage *reply, const char *string) {
  return dbus_message_append_args(reply, DBUS_TYPE_STRING, &string, DBUS_TYPE_INVALID);
}

static bool append_number(DBusMessage *reply, dbus_uint32_t number) {
  return dbus_message_append_args(reply, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID);
}

// The reply to `call`, or NULL when memory is out. `Notify` comes first: it is what is measured.
static DBusMessage *answer(DBusMessage *call) {
  static dbus_uint32_t last_number = 0;
  DBusMessageIter arguments;
  unsigned count = dbus_message_iter_init(call, &arguments) ? read_all(&arguments) : 0;

  const char *member = dbus_message_get_member(call);
  const char *interface = dbus_message_get_interface(call);
  DBusMessage *reply = dbus_message_new_method_return(call);
  if (reply == NULL) return NULL;

  bool done = true;
  if (strcmp(member, "Notify") == 0) {
    if (interface != NULL && strcmp(interface, "dev.suzu.Center1") == 0) {
      done = append_string(reply, "bench");
    } else {
      done = append_number(reply, ++last_number);
    }
  } else if (strcmp(member, "Echo") == 0) {
    done = append_number(reply, count);
  } else if (strcmp(member, "GetCapabilities") == 0) {
    const char *capabilities[] = {"actions", "body", "persistence"};
    done = append_strings(reply, capabilities, 3);
  } else if (strcmp(member, "GetServerInformation") == 0) {
    done = append_string(reply, "bench") && append_string(reply, "suzu") && append_string(reply, "1") &&
           append_string(reply, "1.2");
  } else if (strcmp(member, "CloseNotification") != 0) {
    dbus_message_unref(reply);
    return dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, member);
  }
  if (done) return reply;
  dbus_message_unref(reply);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 2) fail("usage", "server NAME");

  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *connection = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  if (connection == NULL) fail("no session bus", error.message);
  dbus_connection_set_exit_on_disconnect(connection, FALSE);
  if (dbus_bus_request_name(connection, argv[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
      DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
    fail(argv[1], dbus_error_is_set(&error) ? error.message : "somebody else owns it");
  }
  puts("ready");
  fflush(stdout);

  // The whole queue is answered before the next write: popping is what dispatching does, without looking for handlers.
  while (dbus_connection_read_write(connection, -1)) {
    for (DBusMessage *message; (message = dbus_connection_pop_message(connection)) != NULL;) {
      if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL && !dbus_message_get_no_reply(message)) {
        DBusMessage *reply = answer(message);
        if (reply == NULL || !dbus_connection_send(connection, reply, NULL)) fail("reply", "out of memory");
        dbus_message_unref(reply);
      }
      dbus_message_unref(message);
    }
  }
  dbus_connection_close(connection);
  dbus_connection_unref(connection);
  return EXIT_SUCCESS;
}
