// SPDX-License-Identifier: Apache-2.0
// The same as Benchmarks/rule-bench, with libical: reads lines `START RULE` from standard input, such as
// `2026-01-05T09:00:00 FREQ=WEEKLY;BYDAY=MO,TH`, and then parses each rule and finds its first DATES dates.
//
//   rules DATES             prints `rule_us 12.3`, the microseconds for each rule
//   rules DATES dates       prints the dates of each rule in a line instead

#define _GNU_SOURCE
#include <libical/ical.h>
#include <stdbool.h>
#include <string.h>

#include "measure.h"

struct line {
  struct icaltimetype start;
  char *rule;
};

static struct line *lines;
static size_t count, capacity;

static void read_lines(void) {
  char *text = NULL;
  size_t size = 0;
  while (getline(&text, &size, stdin) > 0) {
    int year, month, day, hour, minute, second, used = 0;
    sscanf(text, "%d-%d-%dT%d:%d:%d %n", &year, &month, &day, &hour, &minute, &second, &used);
    if (used == 0) fail("not a start and a rule", text);
    if (count == capacity) {
      capacity = capacity ? 2 * capacity : 1024;
      lines = realloc(lines, capacity * sizeof *lines);
      if (lines == NULL) fail("lines", "out of memory");
    }
    struct icaltimetype start = icaltime_null_time();
    start.year = year, start.month = month, start.day = day;
    start.hour = hour, start.minute = minute, start.second = second;
    text[strcspn(text, "\n")] = 0;
    lines[count++] = (struct line){start, strdup(text + used)};
  }
  free(text);
}

// Returns how many dates there are.
static unsigned expand(const struct line *line, unsigned most, bool prints) {
  unsigned found = 0;
  struct icalrecurrencetype rule = icalrecurrencetype_from_string(line->rule);
  icalrecur_iterator *dates = icalrecur_iterator_new(rule, line->start);
  if (dates == NULL) fail(line->rule, icalerror_strerror(icalerrno));
  while (found < most) {
    struct icaltimetype date = icalrecur_iterator_next(dates);
    if (icaltime_is_null_time(date)) break;
    if (prints) {
      printf("%s%04d-%02d-%02dT%02d:%02d:%02d", found ? " " : "", date.year, date.month, date.day, date.hour,
             date.minute, date.second);
    }
    found++;
  }
  icalrecur_iterator_free(dates);
  if (prints) puts("");
  return found;
}

int main(int argc, char **argv) {
  bool prints = argc == 3 && strcmp(argv[2], "dates") == 0;
  unsigned most = argc == 2 || prints ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
  if (most == 0) fail("usage", "rules DATES [dates]");
  read_lines();
  if (count == 0) fail("no rules", "standard input is empty");
  unsigned long found = 0;
  double began = microseconds();
  for (size_t i = 0; i < count; i++) found += expand(&lines[i], most, prints);
  double took = microseconds() - began;
  if (found == 0) fail("no dates", "of no rule");
  if (!prints) printf("rule_us %.1f\n", took / count);
  return EXIT_SUCCESS;
}
