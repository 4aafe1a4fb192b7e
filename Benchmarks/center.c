// SPDX-License-Identifier: Apache-2.0
// Measures the center through libdbus; NAME is the center, or a C server with the same methods.
//
//   center notify NAME N 1          durable calls of Notify, each a new request, one after another  prints `notify_us 310.2`
//   center notify NAME N 64         the same with 64 calls in flight
//   center waits NAME N 64          how long each of N calls of Notify waits, with 64 of them in flight
//                                   prints the median, and what 99 of 100 do not exceed: `wait_us 2400.0`, `most_us 5100.0`
//   center next NAME N              calls of Next: parsed and answered, nothing is stored           prints `next_us 98.7`
//   center many NAME N BATCH        NotifyMany of N requests, BATCH per call                        prints `many_us 18.1`
//   center burst NAME N SERVER      N requests due in the same second, until the last is at SERVER  prints `burst_us 44.0`
//   center late NAME N SERVER       N requests due in N successive seconds: how late they arrive    prints `late_us 411.0`
//   center pages NAME LIMIT PART    the pending requests in pages of LIMIT: a page at the beginning,
//                                   in the middle or at the end of the list                         prints `pages_us 7300.0`
//   center history NAME LIMIT PART  a page of the history in the middle or at the end of it against one
//                                   at its beginning, alternating              prints `ours_us`, `peer_us` and `ratio`
//   center search NAME LIMIT PART   the same of a search since 1970 that finds nothing: a page is what one call looks at
//   center nags NAME COUNT SERVER   calls of Next, one after another, until SERVER has shown COUNT
//                                   notifications: the longest                                      prints `wait_us 9800.0`
//
// The numbers are microseconds per request: the median of the calls, or of several rounds with calls in flight.

#include "bus.h"

enum { rounds = 5 };

static DBusConnection *connection;
static const char *center;
static uint64_t state;

static unsigned random_below(unsigned limit) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (unsigned)((state * 0x2545F4914F6CDD1Du) >> 33) % limit;
}

static DBusMessage *make_call(const char *member) {
  DBusMessage *call = dbus_message_new_method_call(center, "/dev/suzu/Center", "dev.suzu.Center1", member);
  must(call != NULL);
  return call;
}

static void append_request(
    DBusMessageIter *to, const char *app, const char *title, const char *body, const char *key, const char *when) {
  static unsigned number = 0;
  char id[32];
  snprintf(id, sizeof id, "%u-%u", random_below(1u << 30), number++);
  const char *words[][2] = {{"app", app}, {"id", id}, {"title", title}, {"body", body}, {key, when}};
  DBusMessageIter request;
  must(dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "{sv}", &request));
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) append_entry(&request, words[i][0], "s", &words[i][1]);
  must(dbus_message_iter_close_container(to, &request));
}

// The date is far away, so that no popup is part of the measurement.
static DBusMessage *make_notify(void) {
  DBusMessage *call = make_call("Notify");
  DBusMessageIter arguments;
  dbus_message_iter_init_append(call, &arguments);
  append_request(&arguments, "dev.suzu.Bench", "Standup in five minutes", "Room 2, second floor", "in", "2d");
  return call;
}

static DBusMessage *make_next(void) {
  DBusMessage *call = make_call("Next");
  DBusMessageIter arguments;
  dbus_uint32_t dates = 1;
  dbus_message_iter_init_append(call, &arguments);
  append_request(&arguments, "dev.suzu.Bench", "Standup in five minutes", "Room 2, second floor", "in", "2d");
  must(dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &dates));
  return call;
}

// The median of all calls, because a shared disk makes some of them a hundred times slower.
static void measure_each(const char *mode, DBusMessage *(*make)(void), int reply_type, unsigned calls) {
  double *call_us = calloc(calls, sizeof *call_us);
  must(call_us != NULL);
  for (unsigned i = 0; i < calls; i++) {
    DBusBasicValue value;
    double began = microseconds();
    call_and_wait(connection, make(), reply_type, &value);
    call_us[i] = microseconds() - began;
  }
  printf("%s_us %.1f\n", mode, median(call_us, calls));
  free(call_us);
}

static void measure(unsigned calls, unsigned under_way) {
  double round_us[rounds];
  for (int round = -1; round < rounds; round++) {
    double began = microseconds();
    call_many(connection, make_notify, DBUS_TYPE_STRING, calls, under_way);
    if (round >= 0) round_us[round] = (microseconds() - began) / calls;
  }
  printf("notify_us %.1f\n", median(round_us, rounds));
}

static double *waits;
static unsigned waits_known, waits_to_send;

static void waited(DBusPendingCall *pending, void *began);

static void send_waiting(void) {
  if (waits_to_send == 0) return;
  waits_to_send--;
  double *began = malloc(sizeof *began);
  must(began != NULL);
  *began = microseconds();
  DBusPendingCall *pending;
  DBusMessage *call = make_notify();
  must(dbus_connection_send_with_reply(connection, call, &pending, 60000) && pending != NULL);
  must(dbus_pending_call_set_notify(pending, waited, began, free));
  dbus_message_unref(call);
}

static void waited(DBusPendingCall *pending, void *began) {
  DBusBasicValue value;
  waits[waits_known++] = microseconds() - *(double *)began;
  take(dbus_pending_call_steal_reply(pending), DBUS_TYPE_STRING, &value);
  dbus_pending_call_unref(pending);
  send_waiting();
}

static void measure_waits(unsigned calls, unsigned under_way) {
  waits = calloc(calls, sizeof *waits);
  must(waits != NULL);
  waits_to_send = calls;
  for (unsigned i = 0; i < under_way; i++) send_waiting();
  while (waits_known < calls) {
    if (!dbus_connection_read_write_dispatch(connection, -1)) fail("bus", "it is gone");
  }
  double usual = median(waits, calls);  // sorts them
  printf("wait_us %.1f\nmost_us %.1f\n", usual, waits[calls * 99 / 100]);
}

// Like Benchmarks/insert.c: ten apps, bodies of one to four sentences, dates in the next years.
static DBusMessage *make_many(unsigned count) {
  DBusMessage *call = make_call("NotifyMany");
  DBusMessageIter arguments, list;
  dbus_message_iter_init_append(call, &arguments);
  must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "a{sv}", &list));
  for (unsigned i = 0; i < count; i++) {
    char app[32], body[100] = "", in[32];
    snprintf(app, sizeof app, "dev.suzu.Bench%u", i % 10);
    for (unsigned left = 1 + random_below(4); left > 0; left--) strcat(body, "Room 2, second floor. ");
    snprintf(in, sizeof in, "%us", 86400 + random_below(1u << 27));
    append_request(&list, app, "Standup", body, "in", in);
  }
  must(dbus_message_iter_close_container(&arguments, &list));
  return call;
}

// The calls are built in advance, like the rows of insert.c, so that libdbus is not measured. They are sent without
// waiting, and all must be answered.
static void many(unsigned count, unsigned batch) {
  enum { most_calls = 64 };
  DBusMessage *calls[most_calls];
  DBusPendingCall *pending[most_calls];
  unsigned number = 0;
  if (count > batch * most_calls) fail("many", "too small a batch");
  for (unsigned done = 0; done < count; done += batch) calls[number++] = make_many(batch < count - done ? batch : count - done);
  double began = microseconds();
  for (unsigned i = 0; i < number; i++) {
    must(dbus_connection_send_with_reply(connection, calls[i], &pending[i], 60000) && pending[i] != NULL);
    dbus_message_unref(calls[i]);
  }
  for (unsigned i = 0; i < number; i++) {
    dbus_pending_call_block(pending[i]);
    take(dbus_pending_call_steal_reply(pending[i]), DBUS_TYPE_ARRAY, NULL);
    dbus_pending_call_unref(pending[i]);
  }
  printf("many_us %.2f\n", (microseconds() - began) / count);
}

static void write_date(char text[32], time_t date) { strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime(&date)); }

static void begin(const char *server) {
  DBusBasicValue value;
  call_and_wait(connection, bench_call(server, "Begin", 0), DBUS_TYPE_UINT32, &value);
}

static void burst(unsigned count, const char *server) {
  enum { batch = 1000 };
  time_t date = time(NULL) + 3 + count / 4000;
  char at[32];
  write_date(at, date);
  begin(server);
  for (unsigned done = 0; done < count; done += batch) {
    DBusMessage *call = make_call("NotifyMany");
    DBusMessageIter arguments, list;
    dbus_message_iter_init_append(call, &arguments);
    must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "a{sv}", &list));
    for (unsigned i = done; i < count && i < done + batch; i++) {
      append_request(&list, "dev.suzu.Bench", "Standup in five minutes", "Room 2, second floor", "at", at);
    }
    must(dbus_message_iter_close_container(&arguments, &list));
    call_and_wait(connection, call, DBUS_TYPE_ARRAY, NULL);
  }
  if (time(NULL) >= date) fail("burst", "the requests could not be made in time");
  DBusBasicValue arrived;
  call_and_wait(connection, bench_call(server, "Arrived", count), DBUS_TYPE_DOUBLE, &arrived);
  printf("burst_us %.1f\n", (arrived.dbl - date * 1e6) / count);
}

static void late(unsigned count, const char *server) {
  DBusBasicValue value;
  time_t date = time(NULL) + 1;
  begin(server);
  for (unsigned i = 0; i < count; i++) {
    char at[32], title[32];
    write_date(at, ++date);
    snprintf(title, sizeof title, "%lld000", (long long)date);
    DBusMessage *call = make_call("Notify");
    DBusMessageIter arguments;
    dbus_message_iter_init_append(call, &arguments);
    append_request(&arguments, "dev.suzu.Bench", title, "Room 2, second floor", "at", at);
    call_and_wait(connection, call, DBUS_TYPE_STRING, &value);
  }
  call_and_wait(connection, bench_call(server, "Late", count), DBUS_TYPE_DOUBLE, &value);
  printf("late_us %.1f\n", value.dbl);
}

// What a listing is asked for.
struct listing {
  const char *member;
  dbus_uint32_t limit;
  // NULL for all rows.
  const char *search;
};

// One page behind a cursor; returns how long it took.
static double page(const struct listing *listing, char cursor[128]) {
  DBusMessage *call = make_call(listing->member);
  DBusMessageIter arguments, options, rows;
  const char *app = "", *after = cursor;
  dbus_message_iter_init_append(call, &arguments);
  append_string(&arguments, app);
  must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options));
  append_entry(&options, "limit", "u", &listing->limit);
  append_entry(&options, "after", "s", &after);
  if (listing->search != NULL) {
    const dbus_int64_t since = 1;
    append_entry(&options, "search", "s", &listing->search);
    append_entry(&options, "since", "x", &since);
  }
  must(dbus_message_iter_close_container(&arguments, &options));
  double began = microseconds();
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(connection, call, 30000, NULL);
  double taken = microseconds() - began;
  must(reply != NULL && dbus_message_iter_init(reply, &rows) && dbus_message_iter_next(&rows));
  const char *next;
  dbus_message_iter_get_basic(&rows, &next);
  snprintf(cursor, 128, "%s", next);
  dbus_message_unref(reply);
  dbus_message_unref(call);
  return taken;
}

// The index of the first page of a tenth of them; the last page is shorter, and is left out.
static size_t part_begin(const char *part, size_t count) {
  if (strcmp(part, "beginning") == 0) return 0;
  return strcmp(part, "middle") == 0 ? count / 2 : count - 1 - count / 10;
}

// The median of the first, the middle or the last tenth of the pages.
static void pages(unsigned limit, const char *part) {
  const struct listing listing = {"Pending", limit, NULL};
  size_t count = 0, room = 1 << 20;
  double *page_us = calloc(room, sizeof *page_us);
  char cursor[128] = "";
  must(page_us != NULL);
  do {
    must(count < room);
    page_us[count++] = page(&listing, cursor);
  } while (cursor[0] != '\0');
  size_t most = count / 10;
  if (most < 2) fail("pages", "too few pages");
  printf("pages_us %.1f\n", median(page_us + part_begin(part, count), most));
  free(page_us);
}

// Reads the listing once, keeps the cursors, and then alternates between a page of its first tenth and one of `part`.
static void compare_parts(const struct listing *listing, const char *part) {
  enum { pairs = 60 };
  size_t count = 0, room = 1 << 16;
  char(*cursors)[128] = calloc(room, sizeof *cursors);
  must(cursors != NULL);
  for (char cursor[128] = "";;) {
    must(count < room);
    memcpy(cursors[count++], cursor, sizeof cursor);
    page(listing, cursor);
    if (cursor[0] == '\0') break;
  }
  size_t most = count / 10;
  if (most < 2) fail(listing->member, "too few pages");
  double ours[pairs], peer[pairs], ratio[pairs];
  for (size_t i = 0; i < pairs; i++) {
    char first[128], second[128];
    memcpy(first, cursors[part_begin(part, count) + i % most], sizeof first);
    memcpy(second, cursors[i % most], sizeof second);
    ours[i] = page(listing, first);
    peer[i] = page(listing, second);
    ratio[i] = ours[i] / peer[i];
  }
  printf("ours_us %.1f\npeer_us %.1f\nratio %.3f\n", median(ours, pairs), median(peer, pairs), median(ratio, pairs));
  free(cursors);
}

// The notifications were stored in advance, and all are shown again in the same millisecond. A call waits for the turn
// of the loop that is under way, so the longest call is an upper bound of the longest turn.
static void nags(unsigned count, const char *server) {
  DBusMessage *call = bench_call(server, "Arrived", count);
  DBusPendingCall *shown;
  double longest = 0;
  begin(server);
  must(dbus_connection_send_with_reply(connection, call, &shown, 60000) && shown != NULL);
  dbus_message_unref(call);
  while (!dbus_pending_call_get_completed(shown)) {
    double began = microseconds();
    call_and_wait(connection, make_next(), DBUS_TYPE_ARRAY, NULL);
    double taken = microseconds() - began;
    if (taken > longest) longest = taken;
    while (dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS) continue;
  }
  DBusBasicValue value;
  take(dbus_pending_call_steal_reply(shown), DBUS_TYPE_DOUBLE, &value);
  dbus_pending_call_unref(shown);
  printf("wait_us %.1f\n", longest);
}

int main(int argc, char **argv) {
  const char *mode = argc > 3 ? argv[1] : "", *last = argc > 4 ? argv[4] : "1";
  unsigned count = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0, number = (unsigned)strtoul(last, NULL, 10);
  if (count == 0) fail("usage", "center notify|waits|next|many|burst|late|pages|history|search|nags NAME N [UNDER-WAY|BATCH|SERVER|PART]");
  center = argv[2];
  connection = open_bus();
  // Different ids in each run: these must be new requests, not replacements.
  state = (uint64_t)(microseconds() * 1000) * 0x9E3779B97F4A7C15u | 1;
  if (strcmp(mode, "notify") == 0 && number > 1) {
    measure(count, number);
  } else if (strcmp(mode, "notify") == 0 && number == 1) {
    measure_each(mode, make_notify, DBUS_TYPE_STRING, count);
  } else if (strcmp(mode, "waits") == 0 && number > 0) {
    measure_waits(count, number);
  } else if (strcmp(mode, "next") == 0) {
    measure_each(mode, make_next, DBUS_TYPE_ARRAY, count);
  } else if (strcmp(mode, "many") == 0 && number > 0) {
    many(count, number);
  } else if (strcmp(mode, "burst") == 0) {
    burst(count, last);
  } else if (strcmp(mode, "late") == 0) {
    late(count, last);
  } else if (strcmp(mode, "pages") == 0) {
    pages(count, last);
  } else if (strcmp(mode, "history") == 0) {
    compare_parts(&(struct listing){"History", count, NULL}, last);
  } else if (strcmp(mode, "search") == 0) {
    compare_parts(&(struct listing){"History", count, "in no text of the history"}, last);
  } else if (strcmp(mode, "nags") == 0) {
    nags(count, last);
  } else {
    fail("usage", "see the beginning of center.c");
  }
  close_bus(connection);
  return EXIT_SUCCESS;
}
