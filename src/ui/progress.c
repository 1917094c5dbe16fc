/* A bar on the terminal that tells how far the run has got.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "ui/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "human.h"
#include "minmax.h"
#include "xalloc.h"
#include "xvasprintf.h"

enum
{
  DEFAULT_WIDTH = 80,
  MAX_WIDTH = 250, /* room for what takes it away */
  BAR_MIN = 10,    /* columns; a shorter one tells nothing */
  BAR_MAX = 60
};

/* Seconds: until the first drawing, so that short runs show nothing; between
   drawings; and over which rates are averaged.  */
static double const first_delay = 0.3;
static double const delay = 0.2;
static double const memory = 3;

/* How fast a number grows.  */
struct rate
{
  double last;
  double value; /* a second */
};

struct progress
{
  struct timespec start;
  double next;  /* seconds from the start, of the next drawing */
  double drawn; /* the last one */
  struct rate bytes;
  struct rate at;
  size_t length; /* columns of what stands on the terminal */
  unsigned turns;
};

struct progress *
progress_new (void)
{
  if (!isatty (STDERR_FILENO))
    return NULL;
  struct progress *p = xzalloc (sizeof *p);
  clock_gettime (CLOCK_MONOTONIC, &p->start);
  p->next = first_delay;
  return p;
}

/* Seconds since the start; some milliseconds off, but cheap.  */
static double
seconds (struct progress const *p)
{
  struct timespec now;

#ifdef CLOCK_MONOTONIC_COARSE
  clock_gettime (CLOCK_MONOTONIC_COARSE, &now);
#else
  clock_gettime (CLOCK_MONOTONIC, &now);
#endif
  return ((now.tv_sec - p->start.tv_sec)
          + (now.tv_nsec - p->start.tv_nsec) / 1e9);
}

bool
progress_due (struct progress *p)
{
  return p->next <= seconds (p);
}

/* R's number is VALUE now, ELAPSED seconds after the last time.  */
static void
update_rate (struct rate *r, double value, double elapsed)
{
  double now = (value - r->last) / elapsed;
  double weight = MIN (elapsed / memory, 1);

  r->value = 0 < r->value ? r->value + (now - r->value) * weight : now;
  r->last = value;
}

/* The columns that may be used.  Asked for each time: they change.  The last
   one is left alone, for some terminals go to the next line after it.  */
static size_t
usable_width (void)
{
  struct winsize size;
  size_t width = DEFAULT_WIDTH;

  if (ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
    width = size.ws_col;
  return MIN (width, MAX_WIDTH) - 1;
}

/* Put "1:02:03" into TEXT.  */
static void
format_time (double value, char *text, size_t size)
{
  if (!(0 <= value && value < 1e7))
    {
      snprintf (text, size, "-:--");
      return;
    }
  unsigned long s = value + 0.5;
  if (s < 3600)
    snprintf (text, size, "%lu:%02lu", s / 60, s % 60);
  else
    snprintf (text, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
}

/* Put a bar of WIDTH columns, with its brackets, into TEXT: FRACTION of it
   full; if that is negative, with something that goes to and fro.  */
static void
format_bar (struct progress *p, double fraction, size_t width, char *text)
{
  size_t inside = width - 2;

  memset (text, ' ', width);
  text[0] = '[';
  text[width - 1] = ']';
  text[width] = '\0';
  if (0 <= fraction)
    {
      size_t full = MIN (fraction, 1) * inside;
      memset (text + 1, '=', full);
      if (full < inside)
        text[1 + full] = '>';
    }
  else
    {
      size_t way = inside - 3;
      size_t at = p->turns++ % (2 * way);
      memcpy (text + 1 + (at < way ? at : 2 * way - at), "<=>", 3);
    }
}

/* The whole line, of at most WIDTH columns; allocated.  */
static char *
format_line (struct progress *p, uintmax_t bytes, uintmax_t at, uintmax_t total,
             size_t width)
{
  char amount[LONGEST_HUMAN_READABLE + 1];
  char rate[LONGEST_HUMAN_READABLE + 1];
  char left[24];
  char bar[BAR_MAX + 2] = "";
  int options = human_autoscale | human_base_1024 | human_SI | human_B;
  double fraction = total ? MIN ((double)at / total, 1) : -1;

  format_time (total ? (total - MIN (at, total)) / p->at.value : p->drawn, left,
               sizeof left);
  char *start = xasprintf (
      "%8s %8s/s ", human_readable (bytes, amount, options, 1, 1),
      human_readable (MAX (p->bytes.value, 0), rate, options, 1, 1));
  char *percent = total ? xasprintf (" %3.0f%%", 100 * fraction) : xstrdup ("");
  size_t length = strlen (start) + strlen (percent) + 1 + strlen (left);
  if (length + 1 + BAR_MIN <= width)
    {
      *bar = ' ';
      format_bar (p, fraction, MIN (width - length - 1, BAR_MAX), bar + 1);
    }
  char *line = xasprintf ("%s%s%s %s", start, percent, bar, left);
  free (start);
  free (percent);
  if (width < strlen (line))
    line[width] = '\0';
  return line;
}

void
progress_draw (struct progress *p, uintmax_t bytes, uintmax_t at,
               uintmax_t total)
{
  double now = seconds (p);

  p->next = now + delay;
  if (p->drawn < now)
    {
      update_rate (&p->bytes, bytes, now - p->drawn);
      update_rate (&p->at, at, now - p->drawn);
      p->drawn = now;
    }
  if (tcgetpgrp (STDERR_FILENO) != getpgrp ())
    return;
  size_t width = usable_width ();
  char *line = format_line (p, bytes, at, total, width);
  size_t length = strlen (line);
  size_t old = MIN (p->length, width);
  /* Blanks take away what is left of a longer bar.  */
  char *out
      = xasprintf ("\r%s%*s", line, (int)(length < old ? old - length : 0), "");
  fflush (stdout);
  /* If it cannot be shown, so be it.  */
  p->length
      = 0 < write (STDERR_FILENO, out, strlen (out)) ? strlen (out) - 1 : 0;
  free (out);
  free (line);
}

void
progress_erase (struct progress *p)
{
  char out[MAX_WIDTH + 2];

  if (!p->length)
    return;
  size_t length = MIN (p->length, usable_width ());
  p->length = 0;
  memset (out, ' ', sizeof out);
  out[0] = '\r';
  out[length + 1] = '\r';
  if (write (STDERR_FILENO, out, length + 2) < 0)
    return;
}

void
progress_free (struct progress *p)
{
  if (p)
    progress_erase (p);
  free (p);
}
