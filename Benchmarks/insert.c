// SPDX-License-Identifier: Apache-2.0
// insert FILE COUNT: COUNT rows as the center stores them, in one durable transaction of plain SQLite, with the two
// indexes that any scheduler needs (name, due date) and no checksum, no counts. Prints `insert_us 2.1`, for each row.

#include <sqlite3.h>
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
  int64_t due;
};

static void make(struct row *row, unsigned number) {
  char body[100] = "";
  snprintf(row->app, sizeof row->app, "dev.suzu.Bench%u", number % 10);
  snprintf(row->id, sizeof row->id, "%u-%u", random_below(1u << 30), number);
  for (unsigned left = 1 + random_below(4); left > 0; left--) strcat(body, "Room 2, second floor. ");
  snprintf(row->payload, sizeof row->payload, "{\"app\":\"%s\",\"id\":\"%s\",\"title\":\"Standup\",\"body\":\"%s\"}", row->app,
           row->id, body);
  row->due = 1800000000000 + (int64_t)random_below(1u << 30) * 16;
}

static void insert(sqlite3_stmt *statement, const struct row *row) {
  sqlite3_bind_text(statement, 1, row->app, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, row->id, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 3, row->payload, -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 4, row->due);
  if (sqlite3_step(statement) != SQLITE_DONE) fail("insert");
  sqlite3_reset(statement);
}

int main(int argc, char **argv) {
  unsigned count = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
  if (count == 0) {
    fputs("usage: insert FILE COUNT\n", stderr);
    return 64;
  }
  if (sqlite3_open(argv[1], &database) != SQLITE_OK) fail(argv[1]);
  run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  run("CREATE TABLE request (revision INTEGER PRIMARY KEY, app TEXT, id TEXT, payload TEXT, state INTEGER, due INTEGER, "
      "wall TEXT, zone TEXT, fold INTEGER, fired INTEGER, created INTEGER);"
      "CREATE UNIQUE INDEX request_name ON request (app, id); CREATE INDEX request_due ON request (due);");
  sqlite3_stmt *statement;
  const char *sql = "INSERT INTO request (app, id, payload, state, due, wall, zone, fold, fired, created) "
                    "VALUES (?, ?, ?, 0, ?, '2027-01-15T07:30:00', 'Europe/London', 0, 0, 1)";
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(sql);
  struct row *rows = calloc(count, sizeof *rows);
  if (rows == NULL) fail("no memory");
  for (unsigned i = 0; i < count; i++) make(&rows[i], i);

  double began = microseconds();
  run("BEGIN IMMEDIATE");
  for (unsigned i = 0; i < count; i++) insert(statement, &rows[i]);
  run("COMMIT");
  printf("insert_us %.3f\n", (microseconds() - began) / count);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  free(rows);
  return EXIT_SUCCESS;
}
