/* Changing names: sed-like replacements, and dropping leading directories.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "c-ctype.h"
#include "xalloc.h"

#include "select/rename.h"

enum
{
  MAX_GROUPS = 10 /* \0 to \9 */
};

enum part_kind
{
  PART_TEXT,  /* text[0..length) */
  PART_GROUP, /* what group number matched */
  PART_CASE   /* case conversion: letter is one of "LUluE" */
};

struct part
{
  enum part_kind kind;
  char *text;
  size_t length;
  int group;
  char letter;
};

struct rule
{
  regex_t regex;
  bool global;  /* flag g */
  size_t first; /* the first match to replace, from 1 */
  unsigned scope;
  struct part *parts;
  size_t part_count;
};

struct rename_rules
{
  struct rule *rules;
  size_t count;
  unsigned scope; /* for rules without a scope of their own */

  /* The name being made.  */
  char *out;
  size_t out_length;
  size_t out_size;
  char lasting; /* case conversion in force: 'L', 'U' or 0 */
  char next;    /* that of the next character only: 'l', 'u' or 0 */
};

struct rename_rules *
rename_rules_new (void)
{
  struct rename_rules *rules = xzalloc (sizeof *rules);

  rules->scope = RENAME_EVERYWHERE;
  return rules;
}

void
rename_rules_free (struct rename_rules *rules)
{
  if (!rules)
    return;
  for (size_t i = 0; i < rules->count; i++)
    {
      struct rule *rule = &rules->rules[i];
      regfree (&rule->regex);
      for (size_t j = 0; j < rule->part_count; j++)
        free (rule->parts[j].text);
      free (rule->parts);
    }
  free (rules->rules);
  free (rules->out);
  free (rules);
}

/* --- Reading expressions --- */

/* The end of the section at S that DELIMITER ends, or NULL if nothing ends
   it.  A backslash protects.  */
static char const *
section_end (char const *s, char delimiter)
{
  for (; *s && *s != delimiter; s++)
    if (*s == '\\' && s[1])
      s++;
  return *s ? s : NULL;
}

/* S[0..LENGTH), allocated, with DELIMITER no longer protected.  */
static char *
section_copy (char const *s, size_t length, char delimiter)
{
  char *copy = xmalloc (length + 1);
  size_t n = 0;

  for (size_t i = 0; i < length; i++)
    {
      if (s[i] == '\\' && i + 1 < length)
        {
          i++;
          if (s[i] != delimiter)
            copy[n++] = '\\';
        }
      copy[n++] = s[i];
    }
  copy[n] = '\0';
  return copy;
}

static struct part *
add_part (struct rule *rule, enum part_kind kind)
{
  rule->parts
      = xnrealloc (rule->parts, rule->part_count + 1, sizeof *rule->parts);
  struct part *part = &rule->parts[rule->part_count++];
  *part = (struct part){ .kind = kind };
  return part;
}

static void
add_character (struct rule *rule, char c)
{
  struct part *last
      = rule->part_count ? &rule->parts[rule->part_count - 1] : NULL;

  if (!last || last->kind != PART_TEXT)
    last = add_part (rule, PART_TEXT);
  last->text = xrealloc (last->text, last->length + 1);
  last->text[last->length++] = c;
}

/* The characters that a backslash makes of letters in a replacement.  */
static char
escaped (char c)
{
  static char const from[] = "abfnrtv";
  static char const to[] = "\a\b\f\n\r\t\v";
  char const *place = strchr (from, c);

  return place ? to[place - from] : c;
}

/* Take the replacement TEXT apart.  Return false if it names a group that the
   regular expression does not have.  */
static bool
parse_replacement (struct rule *rule, char const *text)
{
  for (char const *s = text; *s; s++)
    if (*s == '&')
      add_part (rule, PART_GROUP);
    else if (*s != '\\' || !s[1])
      add_character (rule, *s);
    else if (c_isdigit (*++s))
      {
        int group = *s - '0';
        if (rule->regex.re_nsub < group)
          return false;
        add_part (rule, PART_GROUP)->group = group;
      }
    else if (strchr ("LUluE", *s))
      add_part (rule, PART_CASE)->letter = *s;
    else
      add_character (rule, escaped (*s));
  return true;
}

/* Change *SCOPE by the flag C; false if it is no scope flag.  */
static bool
scope_flag (char c, unsigned *scope)
{
  static char const letters[] = "rhs";
  char const *place = c ? strchr (letters, c_tolower (c)) : NULL;

  if (!place)
    return false;
  unsigned bit = 1u << (place - letters);
  *scope = c_islower (c) ? *scope | bit : *scope & ~bit;
  return true;
}

/* Say in *TROUBLE that FLAG is a problem of the kind PROBLEM.  */
static bool
is_bad_flag (struct rename_trouble *trouble, enum rename_problem problem,
             char flag)
{
  *trouble = (struct rename_trouble){ problem, { flag } };
  return false;
}

struct rule_flags
{
  int regex;
  bool global;
  size_t number;
  unsigned scope;
};

/* Take the flags at *S, up to a semicolon or the end.  */
static bool
parse_flags (char const **s, struct rule_flags *flags,
             struct rename_trouble *trouble)
{
  for (; **s && **s != ';'; ++*s)
    switch (**s)
      {
      case 'g':
        flags->global = true;
        break;
      case 'i':
        flags->regex |= REG_ICASE;
        break;
      case 'x':
        flags->regex |= REG_EXTENDED;
        break;
      default:
        if (c_isdigit (**s))
          {
            /* A number that is too large is one that no name gets to.  */
            char *end;
            flags->number = strtoul (*s, &end, 10);
            *s = end - 1;
          }
        else if (!scope_flag (**s, &flags->scope))
          return is_bad_flag (trouble, RENAME_BAD_FLAG, **s);
      }
  return true;
}

/* Take one s command at *S.  */
static bool
parse_rule (struct rename_rules *rules, char const **s,
            struct rename_trouble *trouble)
{
  char delimiter = (*s)[1];
  if (**s != 's' || !delimiter)
    return false;

  char const *regex = *s + 2;
  char const *regex_end = section_end (regex, delimiter);
  char const *text = regex_end ? regex_end + 1 : NULL;
  char const *text_end = text ? section_end (text, delimiter) : NULL;
  if (!text_end)
    return false;

  struct rule_flags flags = { .scope = rules->scope };
  *s = text_end + 1;
  if (!parse_flags (s, &flags, trouble))
    return false;

  struct rule rule = { .global = flags.global,
                       .scope = flags.scope,
                       .first = flags.number ? flags.number : 1 };
  char *copy = section_copy (regex, regex_end - regex, delimiter);
  int error = regcomp (&rule.regex, copy, flags.regex);
  free (copy);
  if (error)
    {
      trouble->problem = RENAME_BAD_REGEX;
      regerror (error, &rule.regex, trouble->detail, sizeof trouble->detail);
      return false;
    }

  copy = section_copy (text, text_end - text, delimiter);
  bool ok = parse_replacement (&rule, copy);
  free (copy);
  rules->rules
      = xnrealloc (rules->rules, rules->count + 1, sizeof *rules->rules);
  rules->rules[rules->count++] = rule;
  if (!ok)
    trouble->problem = RENAME_BAD_REFERENCE;
  return ok;
}

/* Take the scope flags at *S, up to a semicolon or the end.  */
static bool
parse_scope (struct rename_rules *rules, char const **s,
             struct rename_trouble *trouble)
{
  rules->scope = 0;
  for (; **s && **s != ';'; ++*s)
    if (!scope_flag (**s, &rules->scope))
      return is_bad_flag (trouble, RENAME_BAD_SCOPE, **s);
  return true;
}

int
rename_rules_add (struct rename_rules *rules, char const *expression,
                  struct rename_trouble *trouble)
{
  static char const prefix[] = "flags=";
  char const *s = expression;

  *trouble = (struct rename_trouble){ RENAME_NO_EXPRESSION, "" };
  if (!*s)
    return 0;
  do
    {
      bool ok;
      if (strncmp (s, prefix, sizeof prefix - 1) == 0)
        {
          s += sizeof prefix - 1;
          ok = parse_scope (rules, &s, trouble);
        }
      else
        ok = parse_rule (rules, &s, trouble);
      if (!ok)
        return EINVAL;
    }
  while (*s++ == ';' && *s);
  return 0;
}

/* --- Applying them --- */

static void
append (struct rename_rules *r, char const *text, size_t length)
{
  if (length == 0)
    return;
  while (r->out_size - r->out_length < length)
    r->out = x2realloc (r->out, &r->out_size);
  memcpy (r->out + r->out_length, text, length);
  r->out_length += length;
}

/* Append TEXT under the case conversions in force.  Bytes that are no
   character of the locale stay.  */
static void
append_converted (struct rename_rules *r, char const *text, size_t length)
{
  mbstate_t in = { 0 };
  mbstate_t out = { 0 };

  while (length)
    {
      wchar_t wide;
      char bytes[MB_LEN_MAX];
      size_t n = mbrtowc (&wide, text, length, &in);
      char how = r->next ? r->next : r->lasting;
      if (length < n || n == 0)
        {
          in = (mbstate_t){ 0 };
          n = 1;
          append (r, text, n);
        }
      else
        {
          wide = (how == 'u' || how == 'U'   ? towupper (wide)
                  : how == 'l' || how == 'L' ? towlower (wide)
                                             : wide);
          size_t made = wcrtomb (bytes, wide, &out);
          if (made == (size_t)-1)
            append (r, text, n);
          else
            append (r, bytes, made);
        }
      r->next = 0;
      text += n;
      length -= n;
    }
}

static void
append_replacement (struct rename_rules *r, struct rule const *rule,
                    char const *subject, regmatch_t const *groups)
{
  for (size_t i = 0; i < rule->part_count; i++)
    {
      struct part const *part = &rule->parts[i];
      regmatch_t const *group = &groups[part->group];
      if (part->kind == PART_TEXT)
        append_converted (r, part->text, part->length);
      else if (part->kind == PART_CASE)
        {
          if (c_islower (part->letter))
            r->next = part->letter;
          else
            r->lasting = part->letter == 'E' ? 0 : part->letter;
        }
      else if (group->rm_so != -1)
        append_converted (r, subject + group->rm_so,
                          group->rm_eo - group->rm_so);
    }
  r->lasting = r->next = 0;
}

/* Look for RULE's pattern in SUBJECT, which ends at LIMIT.  Told the end,
   regexec does not look for it: else many matches in a long name take
   quadratic time.  REG_STARTEND is of the BSDs and of glibc.  */
static bool
search (struct rule const *rule, char const *subject, char const *limit,
        regmatch_t groups[MAX_GROUPS], int flags)
{
#ifdef REG_STARTEND
  groups[0].rm_so = 0;
  groups[0].rm_eo = limit - subject;
  flags |= REG_STARTEND;
#endif
  return regexec (&rule->regex, subject, MAX_GROUPS, groups, flags) == 0;
}

/* Replace in SUBJECT as RULE says, into R->out.  Return true if anything
   matched.  */
static bool
apply (struct rename_rules *r, struct rule const *rule, char const *subject)
{
  regmatch_t groups[MAX_GROUPS];
  char const *limit = subject + strlen (subject);
  char const *last_end = NULL;
  size_t number = 0;
  bool replaced = false;
  int flags = 0;

  r->out_length = 0;
  while ((rule->global || !replaced)
         && search (rule, subject, limit, groups, flags))
    {
      size_t start = groups[0].rm_so;
      size_t end = groups[0].rm_eo;
      bool is_empty = start == end;
      append (r, subject, start);
      /* An empty match right behind another match does not count.  */
      if (is_empty && subject + start == last_end)
        ;
      else if (++number < rule->first)
        append (r, subject + start, end - start);
      else
        {
          append_replacement (r, rule, subject, groups);
          replaced = true;
        }
      subject += end;
      last_end = subject;
      if (is_empty)
        {
          if (!*subject)
            break;
          append (r, subject++, 1);
        }
      flags = REG_NOTBOL;
    }
  append (r, subject, limit - subject + 1);
  return replaced;
}

bool
rename_rules_apply (struct rename_rules *rules, enum rename_scope scope,
                    struct member_text *name)
{
  bool changed = false;

  for (size_t i = 0; rules && i < rules->count; i++)
    if (rules->rules[i].scope & scope
        && apply (rules, &rules->rules[i], member_text (name)))
      {
        member_set_text (name, rules->out, rules->out_length - 1);
        changed = true;
      }
  return changed;
}

char const *
rename_strip (char const *name, size_t count)
{
  for (;;)
    {
      while (*name == '/')
        name++;
      if (count-- == 0)
        return name;
      while (*name && *name != '/')
        name++;
    }
}
