// SPDX-License-Identifier: Apache-2.0
// server NAME [FILE]: owns NAME on the session bus and answers calls, reading every argument:
//
//   org.freedesktop.Notifications  Notify(susssasa{sv}i) -> u, GetCapabilities, GetServerInformation, CloseNotification
//   dev.suzu.Center1               Notify(a{sv}) -> s, Next(a{sv}u) -> ax     stands in for the center
//   dev.suzu.Bench1                Begin(u) -> u       resets the counts
//                                  Arrived(u n) -> d   waits for n notifications: when the last one came
//                                  Late(u n) -> d      the same: median lateness of those with a date as summary
//                                  Emit(u n)           sends n signals Ticked(u number, s text)
//                                  Number              a property
//
// and describes the first interface in Introspect. Times are microseconds of CLOCK_REALTIME, dates milliseconds. With
// FILE, center requests are durable before they are answered: appended to FILE and synced with fdatasync, shared by
// those that arrived together.
//
// This is the peer for comparisons: one connection, one thread, nothing between libdbus and the answer. It prints
// `ready` once it owns the name, and ends with its bus.

#include <fcntl.h>
#include <unistd.h>

#include "bus.h"

static DBusConnection *connection;
static int file = -1;

// Reads all values, descending into containers; returns the number of basic values. A server that ignores its arguments
// would be faster than any real one.
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

static bool append_text(DBusMessage *reply, const char *string) {
  return dbus_message_append_args(reply, DBUS_TYPE_STRING, &string, DBUS_TYPE_INVALID);
}

static bool append_number(DBusMessage *reply, dbus_uint32_t number) {
  return dbus_message_append_args(reply, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID);
}

static bool append_dates(DBusMessage *reply) {
  const dbus_int64_t dates[] = {4102444800}, *first = dates;
  return dbus_message_append_args(reply, DBUS_TYPE_ARRAY, DBUS_TYPE_INT64, &first, 1, DBUS_TYPE_INVALID);
}

// The arrivals since Begin, and the call that waits for them.
static unsigned arrived, wanted;
static double last_arrival, late[1000];
static unsigned late_count;
static DBusMessage *waiting;

static void arrive(DBusMessage *call) {
  last_arrival = microseconds_of(CLOCK_REALTIME);
  arrived++;
  DBusMessageIter argument;
  const char *summary;
  dbus_message_iter_init(call, &argument);
  for (int i = 0; i < 3; i++) dbus_message_iter_next(&argument);
  if (dbus_message_iter_get_arg_type(&argument) != DBUS_TYPE_STRING) return;
  dbus_message_iter_get_basic(&argument, &summary);
  double date = strtod(summary, NULL);
  if (date > 1e12 && late_count < sizeof late / sizeof late[0]) late[late_count++] = last_arrival - date * 1000;
}

// Answers the waiting call if enough has arrived.
static void answer_waiting(void) {
  if (waiting == NULL || arrived < wanted) return;
  double result = strcmp(dbus_message_get_member(waiting), "Late") == 0 ? median(late, late_count) : last_arrival;
  DBusMessage *reply = dbus_message_new_method_return(waiting);
  must(reply != NULL && dbus_message_append_args(reply, DBUS_TYPE_DOUBLE, &result, DBUS_TYPE_INVALID));
  must(dbus_connection_send(connection, reply, NULL));
  dbus_message_unref(reply);
  dbus_message_unref(waiting);
  waiting = NULL;
}

static void wait_for(DBusMessage *call) {
  if (waiting != NULL) fail("server", "two at once wait");
  if (!dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &wanted, DBUS_TYPE_INVALID)) fail("server", "how many?");
  waiting = dbus_message_ref(call);
}

static void emit(DBusMessage *call) {
  dbus_uint32_t count;
  const char *text = "Standup in five minutes";
  if (!dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &count, DBUS_TYPE_INVALID)) fail("server", "how many?");
  for (dbus_uint32_t number = 1; number <= count; number++) {
    DBusMessage *signal = dbus_message_new_signal("/dev/suzu/Bench", "dev.suzu.Bench1", "Ticked");
    must(signal != NULL && append_number(signal, number) && append_text(signal, text));
    must(dbus_connection_send(connection, signal, NULL));
    dbus_message_unref(signal);
  }
}

// For clients that read it first.
static const char *description =
    "<node><interface name='org.freedesktop.Notifications'>"
    "<method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/>"
    "<arg type='a{sv}' direction='in'/><arg type='i' direction='in'/><arg type='u' direction='out'/></method>"
    "<method name='CloseNotification'><arg type='u' direction='in'/></method>"
    "<method name='GetCapabilities'><arg type='as' direction='out'/></method>"
    "<method name='GetServerInformation'><arg type='s' direction='out'/><arg type='s' direction='out'/>"
    "<arg type='s' direction='out'/><arg type='s' direction='out'/></method>"
    "<signal name='NotificationClosed'><arg type='u'/><arg type='u'/></signal>"
    "<signal name='ActionInvoked'><arg type='u'/><arg type='s'/></signal>"
    "</interface></node>";

static void append_property(DBusMessage *reply) {
  const dbus_uint32_t number = 42;
  DBusMessageIter values, variant;
  dbus_message_iter_init_append(reply, &values);
  must(dbus_message_iter_open_container(&values, DBUS_TYPE_VARIANT, "u", &variant));
  must(dbus_message_iter_append_basic(&variant, DBUS_TYPE_UINT32, &number));
  must(dbus_message_iter_close_container(&values, &variant));
}

static void store(DBusMessage *call) {
  char *bytes;
  int count;
  must(dbus_message_marshal(call, &bytes, &count));
  if (write(file, bytes, count) != count) fail("write", "not all of it");
  dbus_free(bytes);
}

// The reply to `call`, or NULL if it comes later. `Notify` is checked first, because it is measured.
static DBusMessage *answer(DBusMessage *call) {
  static dbus_uint32_t last_number = 0;
  DBusMessageIter arguments;
  if (dbus_message_iter_init(call, &arguments)) read_all(&arguments);

  const char *member = dbus_message_get_member(call);
  const char *interface = dbus_message_get_interface(call);
  DBusMessage *reply = dbus_message_new_method_return(call);
  must(reply != NULL);

  if (strcmp(member, "Notify") == 0) {
    if (interface != NULL && strcmp(interface, "dev.suzu.Center1") == 0) {
      if (file >= 0) store(call);
      must(append_text(reply, "bench"));
    } else {
      arrive(call);
      must(append_number(reply, ++last_number));
    }
  } else if (strcmp(member, "Next") == 0) {
    must(append_dates(reply));
  } else if (strcmp(member, "Introspect") == 0) {
    must(append_text(reply, description));
  } else if (strcmp(member, "Get") == 0) {
    append_property(reply);
  } else if (strcmp(member, "Emit") == 0) {
    emit(call);
  } else if (strcmp(member, "Begin") == 0) {
    arrived = late_count = 0;
    must(append_number(reply, 0));
  } else if (strcmp(member, "Arrived") == 0 || strcmp(member, "Late") == 0) {
    dbus_message_unref(reply);
    wait_for(call);
    return NULL;
  } else if (strcmp(member, "GetCapabilities") == 0) {
    const char *capabilities[] = {"actions", "body", "persistence"};
    must(append_strings(reply, capabilities, 3));
  } else if (strcmp(member, "GetServerInformation") == 0) {
    must(append_text(reply, "bench") && append_text(reply, "suzu") && append_text(reply, "1") && append_text(reply, "1.2"));
  } else if (strcmp(member, "CloseNotification") != 0) {
    dbus_message_unref(reply);
    reply = dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, member);
    must(reply != NULL);
  }
  return reply;
}

// Answers all pending calls, after storing them.
static void answer_all(void) {
  DBusMessage *replies[256];
  size_t count;
  do {
    count = 0;
    for (DBusMessage *message; count < 256 && (message = dbus_connection_pop_message(connection)) != NULL;) {
      if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL && !dbus_message_get_no_reply(message)) {
        DBusMessage *reply = answer(message);
        if (reply != NULL) replies[count++] = reply;
      }
      dbus_message_unref(message);
    }
    if (file >= 0 && count > 0 && fdatasync(file) != 0) fail("fdatasync", "it failed");
    for (size_t i = 0; i < count; i++) {
      must(dbus_connection_send(connection, replies[i], NULL));
      dbus_message_unref(replies[i]);
    }
  } while (count > 0);
  answer_waiting();
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) fail("usage", "server NAME [FILE]");
  if (argc == 3 && (file = open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0) fail(argv[2], "cannot be made");

  DBusError error = DBUS_ERROR_INIT;
  connection = open_bus();
  if (dbus_bus_request_name(connection, argv[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
      DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
    fail(argv[1], dbus_error_is_set(&error) ? error.message : "another program owns it");
  }
  puts("ready");
  fflush(stdout);

  // Answer the whole queue before the next write: popping dispatches without searching for handlers.
  while (dbus_connection_read_write(connection, -1)) answer_all();
  close_bus(connection);
  return EXIT_SUCCESS;
}
