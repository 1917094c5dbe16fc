/* The data of the member that the reader is at.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef READER_PAYLOAD_H
#define READER_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "io/records.h"
#include "member.h"
#include "payload.h"

struct reader_payload
{
  struct payload base;
  struct records *records;
  struct member_chunk whole;        /* the chunk of a member without map */
  struct member_chunk const *chunk; /* where the next byte belongs */
  off_t done;                       /* bytes of *chunk consumed */
  char const *memory;               /* data that was in a header */
  int failure;                      /* of the records, or PAYLOAD_SHORT */
};

/* Let *P be the data of M, LENGTH bytes of it, at R's position.  M and its
   chunks must outlive P.  */
void reader_payload_start (struct reader_payload *p, struct records *r,
                           struct member const *m, off_t length);

/* Let *P be the LENGTH bytes at BYTES.  */
void reader_payload_start_memory (struct reader_payload *p, char const *bytes,
                                  size_t length);

/* Let *P be data that cannot be had: every read comes out short.  */
void reader_payload_start_bad (struct reader_payload *p);

#endif
