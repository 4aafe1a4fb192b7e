// SPDX-License-Identifier: Apache-2.0
// insert FILE COUNT BATCH in|at: inserts COUNT rows with plain SQLite, BATCH per durable transaction. Rows and indexes
// match those of the store, but texts and checksums (any number will do) are prepared in advance and nothing is
// counted. Prints `insert_us 2.1`, the time per row.
//
//   in   like `center many`: due after a delay, without a wall-clock time
//   at   like `store-writer put`: due at a date in a zone

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *database;

static void fail(const char *what) {
  fprintf(stderr, "insert: %s: %s\n", what, database ? sqlite3_errmsg(database) : "no database");
  exit(EXIT_FAILURE);
}

static void run(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static uint64_t state = 3 * 0x9E3779B97F4A7C15u | 1;

static unsigned random_below(unsigned limit) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (unsigned)((state * 0x2545F4914F6CDD1Du) >> 33) % limit;
}

struct row {
  char app[32], id[32], payload[256];
  int64_t crc, due;
};

// A duration in the store's format.
static void write_duration(char text[32], unsigned seconds) {
  const char *letters = "dhms";
  const unsigned units[] = {86400, 3600, 60, 1};
  text[0] = 0;
  for (int i = 0; i < 4; seconds %= units[i++]) {
    if (seconds >= units[i]) sprintf(text + strlen(text), "%u%c", seconds / units[i], letters[i]);
  }
}

static void make(struct row *row, unsigned number, bool is_in) {
  char body[100] = "", in[32], when[48] = "";
  snprintf(row->app, sizeof row->app, "dev.suzu.Bench%u", number % 10);
  snprintf(row->id, sizeof row->id, "%u-%u", random_below(1u << 30), number);
  for (unsigned left = 1 + random_below(4); left > 0; left--) strcat(body, "Room 2, second floor. ");
  unsigned seconds = 86400 + random_below(1u << 27);
  write_duration(in, seconds);
  if (is_in) snprintf(when, sizeof when, ",\"in\":\"%s\"", in);
  snprintf(row->payload, sizeof row->payload, "{\"app\":\"%s\",\"id\":\"%s\",\"title\":\"Standup\",\"body\":\"%s\"%s}",
           row->app, row->id, body, when);
  row->due = 1800000000000 + (is_in ? (int64_t)seconds * 1000 : (int64_t)random_below(1u << 30) * 16);
  row->crc = (int64_t)random_below(1u << 16) << 16 | random_below(1u << 16);
}

static void insert(sqlite3_stmt *statement, const struct row *row) {
  sqlite3_bind_int64(statement, 1, row->crc);
  sqlite3_bind_text(statement, 2, row->app, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 3, row->id, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 4, row->payload, -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 5, row->due);
  if (sqlite3_step(statement) != SQLITE_DONE) fail("insert");
  sqlite3_reset(statement);
}

int main(int argc, char **argv) {
  unsigned count = argc == 5 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
  unsigned batch = argc == 5 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
  if (count == 0 || batch == 0 || (strcmp(argv[4], "in") != 0 && strcmp(argv[4], "at") != 0)) {
    fputs("usage: insert FILE COUNT BATCH in|at\n", stderr);
    return 64;
  }
  bool is_in = strcmp(argv[4], "in") == 0;
  if (sqlite3_open(argv[1], &database) != SQLITE_OK) fail(argv[1]);
  run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;");
  // The indexes that contain such rows: see Sources/Scheduling/Store/Migration.swift.
  run("CREATE TABLE request (crc INTEGER NOT NULL, revision INTEGER PRIMARY KEY, app TEXT NOT NULL, id TEXT NOT NULL, "
      "payload TEXT NOT NULL, state INTEGER NOT NULL, due INTEGER, wall TEXT, zone TEXT, fold INTEGER NOT NULL, "
      "fired INTEGER NOT NULL, created INTEGER NOT NULL, elapsed INTEGER, wakes INTEGER);"
      "CREATE UNIQUE INDEX request_name ON request (app, id) WHERE state < 2;"
      "CREATE INDEX request_due ON request (due, revision, app) WHERE state = 0;"
      "CREATE INDEX request_elapsed ON request (revision) WHERE elapsed = 1 AND state = 0;");
  sqlite3_stmt *statement;
  const char *columns = "INSERT INTO request (crc, app, id, payload, state, due, wall, zone, fold, fired, created, elapsed) ";
  char sql[400];
  snprintf(sql, sizeof sql, "%s VALUES (?, ?, ?, ?, 0, ?, %s)", columns,
           is_in ? "NULL, NULL, 0, 0, 1750000000000, 1" : "'2027-01-15T07:30:00', 'Europe/London', 0, 0, 1, NULL");
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(sql);
  struct row *rows = calloc(count, sizeof *rows);
  if (rows == NULL) fail("no memory");
  for (unsigned i = 0; i < count; i++) make(&rows[i], i, is_in);

  double began = microseconds();
  for (unsigned done = 0; done < count; done += batch) {
    run("BEGIN IMMEDIATE");
    for (unsigned i = done; i < count && i < done + batch; i++) insert(statement, &rows[i]);
    run("COMMIT");
  }
  printf("insert_us %.3f\n", (microseconds() - began) / count);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  free(rows);
  return EXIT_SUCCESS;
}
