import type { Seen } from './seen.ts'

/** Names that are data in every value that was seen need not be many. */
const LEAST_DATA = 2
const LEAST_ALIKE = 4
const LEAST_RARE = 8

/**
 * Whether objects that were seen in one place are maps, whose names are data: ids, dates or whatever clients chose.
 * Their names look like data, or come and go while their values are alike.
 */
export function isMap({ objects, fields, entries }: Seen): boolean {
  if (entries !== undefined) return true
  const parts = [...fields.values()]
  const always = parts.filter((part) => part.count === objects).length
  const known = parts.filter((part) => kindOf(part) !== '')
  const areAlike = known.every((part) => isAlike(part, known[0] ?? part))
  const share = parts.reduce((sum, part) => sum + part.count, 0) / (objects * parts.length)
  const isFixed = always === parts.length && objects > 2
  if (areAlike && !isFixed && parts.length >= LEAST_DATA && [...fields.keys()].every(isData)) return true
  if (always > 0) return false
  return (
    (areAlike && parts.length >= LEAST_ALIKE && share <= 2 / 3) ||
    (parts.length >= LEAST_RARE && share <= 1 / 4)
  )
}

// Numbers, dates, UUIDs, addresses and paths; not `line1`.
function isData(name: string): boolean {
  return /^[-+]?\d|\d{3}|[@/.:\s]/.test(name)
}

function isAlike(a: Seen, b: Seen): boolean {
  return kindOf(a) === kindOf(b) && (a.objects === 0 || b.objects === 0 || shareNames(a, b))
}

function kindOf({ texts, integers, decimals, booleans, arrays, objects }: Seen): string {
  const counts = {
    text: texts.count,
    number: integers + decimals,
    boolean: booleans,
    list: arrays,
    object: objects,
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind]) => kind)
    .join(' ')
}

function shareNames(a: Seen, b: Seen): boolean {
  return (
    (a.fields.size === 0 && b.fields.size === 0) || [...a.fields.keys()].some((name) => b.fields.has(name))
  )
}
