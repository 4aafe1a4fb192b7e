// SPDX-License-Identifier: Apache-2.0
// The calls of client.c, made with GDBus, GLib's library for D-Bus; it calls the owner of NAME on the session bus.
//
//   glib-client sync NAME N         N calls of Notify, each waiting for its reply         prints `sync_us 61.2`
//   glib-client property NAME N     N reads of a property, each waiting for its value     prints `property_us 51.0`
//   glib-client signals NAME N      N signals of the server, from the call that asks for them to the last one
//                                                                                         prints `signals_us 12.4`
//
// The numbers are microseconds for each: the median of several rounds of N, after a warm-up.

#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

#include "measure.h"

enum { time_limit_ms = 60000 };

static GDBusConnection *connection;
static const char *server;

static void must(GVariant *reply, GError *error) {
  if (reply == NULL) fail("call", error->message);
  g_variant_unref(reply);
}

static GVariant *call(const char *path, const char *interface, const char *member, GVariant *arguments, const char *type) {
  GError *error = NULL;
  GVariantType *result = g_variant_type_new(type);
  GVariant *reply = g_dbus_connection_call_sync(connection, server, path, interface, member, arguments, result,
                                                G_DBUS_CALL_FLAGS_NONE, time_limit_ms, NULL, &error);
  g_variant_type_free(result);
  if (reply == NULL) fail(member, error->message);
  return reply;
}

// Two actions, and the urgency as a byte.
static void notify(void) {
  GVariantBuilder actions, hints;
  g_variant_builder_init(&actions, G_VARIANT_TYPE("as"));
  g_variant_builder_add(&actions, "s", "done");
  g_variant_builder_add(&actions, "s", "Done");
  g_variant_builder_add(&actions, "s", "snooze");
  g_variant_builder_add(&actions, "s", "Snooze");
  g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
  g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(1));
  GVariant *arguments = g_variant_new("(susssasa{sv}i)", "bench", 0u, "", "Standup in five minutes",
                                      "Room 2, second floor", &actions, &hints, -1);
  guint32 number;
  GVariant *reply =
      call("/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify", arguments, "(u)");
  g_variant_get(reply, "(u)", &number);
  g_variant_unref(reply);
}

static void read_property(void) {
  GVariant *arguments = g_variant_new("(ss)", "dev.suzu.Bench1", "Number"), *value;
  GVariant *reply = call("/dev/suzu/Bench", "org.freedesktop.DBus.Properties", "Get", arguments, "(v)");
  g_variant_get(reply, "(v)", &value);
  if (!g_variant_is_of_type(value, G_VARIANT_TYPE_UINT32)) fail("Get", "a value of another type");
  g_variant_unref(value);
  g_variant_unref(reply);
}

static unsigned missing;

static void heard(GDBusConnection *bus, const char *sender, const char *path, const char *interface,
                  const char *member, GVariant *arguments, void *context) {
  (void)bus, (void)sender, (void)path, (void)interface, (void)member, (void)context;
  guint32 number;
  const char *text;
  g_variant_get(arguments, "(u&s)", &number, &text);
  missing--;
}

static void answered(GObject *source, GAsyncResult *result, void *context) {
  (void)context;
  GError *error = NULL;
  must(g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, &error), error);
}

static void hear(unsigned count) {
  missing = count;
  g_dbus_connection_call(connection, server, "/dev/suzu/Bench", "dev.suzu.Bench1", "Emit", g_variant_new("(u)", count),
                         NULL, G_DBUS_CALL_FLAGS_NONE, time_limit_ms, NULL, answered, NULL);
  while (missing > 0) g_main_context_iteration(NULL, TRUE);
}

static void notify_often(unsigned count) {
  for (unsigned i = 0; i < count; i++) notify();
}

static void read_properties(unsigned count) {
  for (unsigned i = 0; i < count; i++) read_property();
}

int main(int argc, char **argv) {
  const char *mode = argc == 4 ? argv[1] : "";
  bool hears = strcmp(mode, "signals") == 0, reads = strcmp(mode, "property") == 0;
  unsigned count = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
  if (!(hears || reads || strcmp(mode, "sync") == 0) || count == 0) {
    fail("usage", "glib-client sync|property|signals NAME N");
  }
  server = argv[2];
  GError *error = NULL;
  connection = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
  if (connection == NULL) fail("no session bus", error->message);
  if (hears) {
    g_dbus_connection_signal_subscribe(connection, server, "dev.suzu.Bench1", "Ticked", "/dev/suzu/Bench", NULL,
                                       G_DBUS_SIGNAL_FLAGS_NONE, heard, NULL, NULL);
  }

  print_rounds(mode, count, hears ? hear : reads ? read_properties : notify_often);
  g_object_unref(connection);
  return EXIT_SUCCESS;
}
