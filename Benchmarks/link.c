// SPDX-License-Identifier: Apache-2.0
// Measures the time from the publishing of a message of MQTT to the notification that it leads to, through suzu-link and
// the center, and through a C program.
//
//   link measure N PORT [id]  acts as notification server: publishes a message that suzu-link gets, then one that the peer
//                             gets, and so on; prints ours_us, peer_us and the median of the pairs' ratios; with `id`,
//                             messages have ids of their own
//   link peer PORT [FILE]     calls Notify at the server for each of its messages; with FILE, a message is appended to it
//                             and synced first, because what is acknowledged must not be lost
//
// The peer is libmosquitto and libdbus, and no more: no limits, no rights, no history, no duplicates.

#include <fcntl.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <unistd.h>

#include "notifications.h"

static const char *server = "org.freedesktop.Notifications", *ours = "bench/ours", *theirs = "bench/theirs";
static int file = -1;

static void check(int code, const char *what) {
  if (code != MOSQ_ERR_SUCCESS) fail(what, mosquitto_strerror(code));
}

static struct mosquitto *open_broker(const char *id, bool is_new, const char *port) {
  struct mosquitto *client;
  mosquitto_lib_init();
  if ((client = mosquitto_new(id, is_new, NULL)) == NULL) fail("libmosquitto", "out of memory");
  check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5), "MQTT 5");
  mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
  check(mosquitto_connect(client, "127.0.0.1", (int)strtol(port, NULL, 10), 60), "broker");
  return client;
}

// MARK: The peer

static void show(const char *text) {
  send_notify(connection, text);
  dbus_connection_flush(connection);
  // The answers to earlier calls.
  dbus_connection_read_write(connection, 0);
  for (DBusMessage *message; (message = dbus_connection_pop_message(connection)) != NULL;) dbus_message_unref(message);
}

static void take_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
  (void)client, (void)context;
  char text[message->payloadlen + 1];
  memcpy(text, message->payload, message->payloadlen);
  text[message->payloadlen] = '\0';
  if (file >= 0) {
    if (write(file, text, message->payloadlen) != message->payloadlen || fdatasync(file) != 0) fail("file", "not all of it");
  }
  show(text);
}

static void subscribed(struct mosquitto *client, void *context, int id, int count, const int *granted) {
  (void)client, (void)context, (void)id, (void)count, (void)granted;
  puts("ready");
  fflush(stdout);
}

static int peer(const char *port) {
  connection = open_bus();
  struct mosquitto *client = open_broker("bench-peer", false, port);
  mosquitto_message_callback_set(client, take_message);
  mosquitto_subscribe_callback_set(client, subscribed);
  check(mosquitto_subscribe(client, NULL, theirs, 1), "subscribe");
  check(mosquitto_loop_forever(client, -1, 1), "broker");
  return EXIT_SUCCESS;
}

// MARK: Measuring

// Publishes a message, and returns the time until a notification came.
static double happen(struct mosquitto *client, const char *topic, bool has_id, int quiet_ms) {
  static unsigned number;
  char text[64], id[64];
  int length = snprintf(text, sizeof text, "The backup is done: %u", ++number);
  snprintf(id, sizeof id, "bench-%d-%u", getpid(), number);
  mosquitto_property *properties = NULL;
  if (has_id) check(mosquitto_property_add_string_pair(&properties, MQTT_PROP_USER_PROPERTY, "id", id), "property");
  double start = microseconds();
  check(mosquitto_publish_v5(client, NULL, topic, length, text, 1, false, properties), "publish");
  mosquitto_property_free_all(&properties);
  serve(last_number + 1, quiet_ms);
  double took = last_posted - start;
  // The acknowledgment.
  check(mosquitto_loop(client, 0, 1), "broker");
  return took;
}

static int measure(size_t rounds, const char *port, bool has_id) {
  enum { quiet_ms = 15, long_ms = 500 };
  double mine[rounds], peers[rounds], ratios[rounds];
  DBusError error = DBUS_ERROR_INIT;
  connection = open_bus();
  if (dbus_bus_request_name(connection, server, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
      DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
    fail(server, "another program owns it");
  }
  struct mosquitto *client = open_broker("bench-measure", true, port);
  // Its answer.
  check(mosquitto_loop(client, 1000, 1), "broker");
  serve(0, long_ms);
  // The first ones are slower on both sides.
  for (int i = 0; i < 3; i++) {
    happen(client, ours, has_id, long_ms);
    happen(client, theirs, has_id, long_ms);
  }
  for (size_t i = 0; i < rounds; i++) {
    mine[i] = happen(client, ours, has_id, quiet_ms);
    peers[i] = happen(client, theirs, has_id, quiet_ms);
    ratios[i] = mine[i] / peers[i];
  }
  printf("ours_us %.1f\npeer_us %.1f\n", median(mine, rounds), median(peers, rounds));
  printf("ratio %.3f\n", median(ratios, rounds));
  close_bus(connection);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  const char *role = argc > 2 ? argv[1] : "";
  if (strcmp(role, "peer") == 0 && (argc == 3 || argc == 4)) {
    if (argc == 4 && (file = open(argv[3], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0) fail(argv[3], "cannot be made");
    return peer(argv[2]);
  }
  if (strcmp(role, "measure") == 0 && (argc == 4 || argc == 5)) {
    size_t rounds = strtoul(argv[2], NULL, 10);
    if (rounds > 0 && rounds <= 10000) return measure(rounds, argv[3], argc == 5);
  }
  fputs("usage: link measure N PORT [id] | link peer PORT [FILE]\n", stderr);
  return 64;
}
