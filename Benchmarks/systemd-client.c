// SPDX-License-Identifier: Apache-2.0
// The calls of glib-client.c, made with sd-bus, systemd's library for D-Bus; the same command line, and the same output.

#include <stdbool.h>
#include <string.h>
#include <systemd/sd-bus.h>

#include "measure.h"

static sd_bus *bus;
static const char *server;

static void must(const char *what, int result) {
  if (result < 0) fail(what, strerror(-result));
}

// Two actions, and the urgency as a byte.
static void notify(void) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  sd_bus_message *reply = NULL;
  uint32_t number;
  int result = sd_bus_call_method(bus, server, "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
                                  "Notify", &error, &reply, "susssasa{sv}i", "bench", 0u, "",
                                  "Standup in five minutes", "Room 2, second floor", 4u, "done", "Done", "snooze",
                                  "Snooze", 1u, "urgency", "y", 1, -1);
  if (result < 0) fail("Notify", error.message);
  must("Notify", sd_bus_message_read(reply, "u", &number));
  sd_bus_message_unref(reply);
}

static void read_property(void) {
  sd_bus_error error = SD_BUS_ERROR_NULL;
  uint32_t number;
  if (sd_bus_get_property_trivial(bus, server, "/dev/suzu/Bench", "dev.suzu.Bench1", "Number", &error, 'u', &number) < 0) {
    fail("Get", error.message);
  }
}

static unsigned missing;

static int heard(sd_bus_message *signal, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  uint32_t number;
  const char *text;
  must("Ticked", sd_bus_message_read(signal, "us", &number, &text));
  missing--;
  return 0;
}

static int answered(sd_bus_message *reply, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  if (sd_bus_message_is_method_error(reply, NULL)) fail("Emit", sd_bus_message_get_error(reply)->message);
  return 0;
}

static void hear(unsigned count) {
  missing = count;
  must("Emit", sd_bus_call_method_async(bus, NULL, server, "/dev/suzu/Bench", "dev.suzu.Bench1", "Emit", answered, NULL,
                                        "u", count));
  while (missing > 0) {
    int result = sd_bus_process(bus, NULL);
    must("process", result);
    if (result == 0) must("wait", sd_bus_wait(bus, UINT64_MAX));
  }
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
    fail("usage", "systemd-client sync|property|signals NAME N");
  }
  server = argv[2];
  must("no session bus", sd_bus_open_user(&bus));
  if (hears) {
    must("match", sd_bus_match_signal(bus, NULL, server, "/dev/suzu/Bench", "dev.suzu.Bench1", "Ticked", heard, NULL));
  }

  print_rounds(mode, count, hears ? hear : reads ? read_properties : notify_often);
  sd_bus_flush_close_unref(bus);
  return EXIT_SUCCESS;
}
