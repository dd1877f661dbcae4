import { UsageInvalid } from '../../errors.ts'
import { TEXT, TEXTS, type Option } from '../../pipeline/option.ts'
import { createSelect, type Select, type Selection, statusRange } from '../../recording/files/select.ts'
import type { Given } from '../command.ts'
import { readFlags } from '../flags.ts'

const GROUP = 'Which exchanges'

/** Which exchanges of a recording are meant: the same flags for every command. */
export const SELECT_FLAGS: Readonly<Record<keyof Selection, Option>> = {
  hosts: {
    ...TEXTS,
    group: GROUP,
    flag: { name: 'host', describe: 'Only these hosts, such as *.example.com', requiresArg: true },
  },
  paths: {
    ...TEXTS,
    group: GROUP,
    flag: {
      name: 'path',
      describe: 'Only these paths, such as /orders/**; without a slash first, paths that contain it',
      requiresArg: true,
    },
  },
  methods: {
    ...TEXTS,
    group: GROUP,
    flag: { name: 'method', describe: 'Only these methods', requiresArg: true },
  },
  statuses: {
    ...TEXTS,
    group: GROUP,
    flag: {
      name: 'status',
      describe: 'Only these statuses, such as 404, 5xx or 400-499',
      requiresArg: true,
      read: readStatuses,
    },
  },
  since: {
    ...TEXT,
    group: GROUP,
    flag: {
      name: 'since',
      describe: 'Only what began at this date or later, such as 2026-01-31T12:00:00Z',
      requiresArg: true,
      read: (text: string) => readDate('since', text),
    },
  },
  until: {
    ...TEXT,
    group: GROUP,
    flag: {
      name: 'until',
      describe: 'Only what began at this date or earlier',
      requiresArg: true,
      read: (text: string) => readDate('until', text),
    },
  },
  sessions: {
    ...TEXTS,
    group: GROUP,
    flag: {
      name: 'session',
      describe:
        'Only these sessions: x-sim-session, or else the pseudonyms of authorization or cookie, as globs',
      requiresArg: true,
    },
  },
}

/** What the flags select. @throws UsageInvalid */
export function readSelect(given: Given): Select {
  return createSelect(readFlags<Selection>(given, SELECT_FLAGS))
}

/** Whether any of the flags was given. */
export function hasSelection(given: Given): boolean {
  const values = Object.values(readFlags<Selection>(given, SELECT_FLAGS))
  return values.some((value) => value !== undefined && (!Array.isArray(value) || value.length > 0))
}

function readStatuses(texts: readonly (string | number)[]): readonly string[] {
  for (const text of texts)
    if (statusRange(String(text)) === undefined)
      throw new UsageInvalid(`--status must be a status such as 404, 5xx or 400-499, not '${text}'`)
  return texts.map(String)
}

/** A date that a flag gives. @throws UsageInvalid */
export function readDate(flag: string, text: string): Date {
  const date = new Date(text)
  if (!Number.isNaN(date.getTime())) return date
  throw new UsageInvalid(`--${flag} must be a date such as 2026-01-31 or 2026-01-31T12:00:00Z, not '${text}'`)
}
