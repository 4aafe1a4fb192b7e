// SPDX-License-Identifier: Apache-2.0
// pages NAME FILE COUNT: owns NAME on the session bus and answers, in the center's place,
//
//   dev.suzu.Center1   Pending(s a{sv}) -> aa{sv} s    with the options `limit` and `after`
//
// from a SQLite file with COUNT requests, which it makes if there is none. Each page is read behind its cursor by an index
// (keyset pagination), in the order of the dates. A row has the entries that one of the center has, but its values are
// columns, where the center decodes a stored request; there is one caller, and it may see everything.
//
// It prints `ready` once it owns the name, and ends with its bus.

#include <sqlite3.h>
#include <unistd.h>

#include "bus.h"

static DBusConnection *connection;
static sqlite3 *database;
static sqlite3_stmt *pages;

static void check(int status, const char *what) {
  if (status != SQLITE_OK) fail(what, sqlite3_errmsg(database));
}

static void run(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL), sql); }

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), sql);
  return statement;
}

static uint64_t state = 7 * 0x9E3779B97F4A7C15u | 1;

static unsigned random_below(unsigned limit) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (unsigned)((state * 0x2545F4914F6CDD1Du) >> 33) % limit;
}

// The requests of `store-writer fill`.
static void fill(unsigned count) {
  run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;"
      "CREATE TABLE request (revision INTEGER PRIMARY KEY, due INTEGER NOT NULL, app TEXT NOT NULL, id TEXT NOT NULL, "
      "title TEXT NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL)");
  sqlite3_stmt *insert =
      prepare("INSERT INTO request (due, app, id, title, body, at) VALUES (?, ?, ?, 'Standup', ?, '2100-01-01T00:00:00Z')");
  for (unsigned i = 0; i < count; i++) {
    char app[32], id[32], body[100] = "";
    for (unsigned left = 1 + random_below(4); left > 0; left--) strcat(body, "Room 2, second floor. ");
    snprintf(app, sizeof app, "dev.suzu.Bench%u", i % 10);
    snprintf(id, sizeof id, "%u-%u", random_below(1u << 30), i);
    sqlite3_bind_int64(insert, 1, 4102444800000 + (int64_t)random_below(1u << 30) * 16);
    sqlite3_bind_text(insert, 2, app, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, body, -1, SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE) fail("insert", sqlite3_errmsg(database));
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  run("CREATE INDEX request_due ON request (due, revision); COMMIT");
}

static void open_file(const char *path, unsigned count) {
  char making[4096];
  if (access(path, R_OK) != 0) {
    snprintf(making, sizeof making, "%s.new", path);
    unlink(making);
    check(sqlite3_open(making, &database), making);
    fill(count);
    check(sqlite3_close(database), "close");
    if (rename(making, path) != 0) fail(path, "cannot be made");
  }
  check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), path);
  run("PRAGMA cache_size = -16384");
  pages = prepare("SELECT due, revision, app, id, title, body, at FROM request WHERE (due, revision) > (?, ?) "
                  "ORDER BY due, revision LIMIT ?");
}

static void append_text(DBusMessageIter *row, const char *key, const char *value) { append_entry(row, key, "s", &value); }

// Reads `limit` and `after`.
static void read_options(DBusMessage *call, dbus_uint32_t *limit, int64_t *due, int64_t *revision) {
  DBusMessageIter arguments, options;
  if (!dbus_message_iter_init(call, &arguments) || !dbus_message_iter_next(&arguments)) fail("pages", "no options");
  for (dbus_message_iter_recurse(&arguments, &options); dbus_message_iter_get_arg_type(&options) != DBUS_TYPE_INVALID;
       dbus_message_iter_next(&options)) {
    DBusMessageIter entry, value;
    const char *key, *text;
    dbus_message_iter_recurse(&options, &entry);
    dbus_message_iter_get_basic(&entry, &key);
    dbus_message_iter_next(&entry);
    dbus_message_iter_recurse(&entry, &value);
    if (strcmp(key, "limit") == 0) dbus_message_iter_get_basic(&value, limit);
    if (strcmp(key, "after") == 0) {
      long long first = -1, second = -1;
      dbus_message_iter_get_basic(&value, &text);
      if (text[0] != '\0' && sscanf(text, "%lld.%lld", &first, &second) != 2) fail("pages", "no cursor");
      *due = first;
      *revision = second;
    }
  }
}

static DBusMessage *answer(DBusMessage *call) {
  dbus_uint32_t limit = 1000;
  int64_t due = -1, revision = -1;
  read_options(call, &limit, &due, &revision);
  sqlite3_bind_int64(pages, 1, due);
  sqlite3_bind_int64(pages, 2, revision);
  sqlite3_bind_int64(pages, 3, limit);
  DBusMessage *reply = dbus_message_new_method_return(call);
  DBusMessageIter arguments, rows, row;
  dbus_uint32_t count = 0;
  must(reply != NULL);
  dbus_message_iter_init_append(reply, &arguments);
  must(dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "a{sv}", &rows));
  int status;
  while ((status = sqlite3_step(pages)) == SQLITE_ROW) {
    due = sqlite3_column_int64(pages, 0);
    revision = sqlite3_column_int64(pages, 1);
    static const char *const keys[] = {"app", "id", "title", "body", "at"};
    must(dbus_message_iter_open_container(&rows, DBUS_TYPE_ARRAY, "{sv}", &row));
    for (int i = 0; i < 5; i++) append_text(&row, keys[i], (const char *)sqlite3_column_text(pages, i + 2));
    char next[40];
    time_t seconds = due / 1000;
    struct tm parts;
    strftime(next, sizeof next, "%Y-%m-%dT%H:%M:%S%z", localtime_r(&seconds, &parts));
    append_text(&row, "next", next);
    append_text(&row, "state", "pending");
    must(dbus_message_iter_close_container(&rows, &row));
    count++;
  }
  if (status != SQLITE_DONE) fail("pages", sqlite3_errmsg(database));
  sqlite3_reset(pages);
  must(dbus_message_iter_close_container(&arguments, &rows));
  char cursor[64] = "";
  if (count == limit) snprintf(cursor, sizeof cursor, "%lld.%lld", (long long)due, (long long)revision);
  append_string(&arguments, cursor);
  return reply;
}

int main(int argc, char **argv) {
  unsigned count = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
  if (count == 0) fail("usage", "pages NAME FILE COUNT");
  open_file(argv[2], count);

  DBusError error = DBUS_ERROR_INIT;
  connection = open_bus();
  if (dbus_bus_request_name(connection, argv[1], DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
      DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
    fail(argv[1], dbus_error_is_set(&error) ? error.message : "another program owns it");
  }
  puts("ready");
  fflush(stdout);
  while (dbus_connection_read_write(connection, -1)) {
    for (DBusMessage *message; (message = dbus_connection_pop_message(connection)) != NULL; dbus_message_unref(message)) {
      if (dbus_message_get_type(message) != DBUS_MESSAGE_TYPE_METHOD_CALL) continue;
      bool isKnown = strcmp(dbus_message_get_member(message), "Pending") == 0;
      DBusMessage *reply =
          isKnown ? answer(message) : dbus_message_new_error(message, DBUS_ERROR_UNKNOWN_METHOD, "only Pending");
      must(reply != NULL && dbus_connection_send(connection, reply, NULL));
      dbus_message_unref(reply);
    }
  }
  close_bus(connection);
  sqlite3_finalize(pages);
  sqlite3_close(database);
  return EXIT_SUCCESS;
}
