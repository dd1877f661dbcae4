import type { RequestHead } from './match.ts'

/** What differs between a request and a recorded one, their bodies aside; nothing when they are equal. */
export function headDifferences(asked: RequestHead, recorded: RequestHead): string[] {
  const told: string[] = []
  const tell = (what: string, one: string, other: string): void => {
    if (one !== other) told.push(`${what} ${one} instead of ${other}`)
  }
  tell('method', recorded.method, asked.method)
  if (asked.host !== undefined) tell('host', recorded.host ?? '', asked.host)
  tell('path', recorded.path, asked.path)
  for (const part of ['query', 'header'] as const) {
    const [was, is] = part === 'query' ? [recorded.query, asked.query] : [recorded.headers, asked.headers]
    for (const name of new Set([...is, ...was].map(([each]) => each)))
      tell(`${part} ${name}:`, valuesOf(was, name), valuesOf(is, name))
  }
  return told
}

/** How far a recorded request is from the one asked for; what differs in method or path is farther than anything else. */
export function headDistance(asked: RequestHead, recorded: RequestHead): number {
  const other = headDifferences({ ...asked, method: recorded.method, path: recorded.path }, recorded).length
  return other + (asked.method === recorded.method ? 0 : 2) + pathDistance(asked.path, recorded.path)
}

function pathDistance(asked: string, recorded: string): number {
  if (asked === recorded) return 0
  const [one, other] = [asked.split('/'), recorded.split('/')]
  const longest = Math.max(one.length, other.length)
  let differing = 0
  for (let at = 0; at < longest; at++) if (one[at] !== other[at]) differing++
  return 1 + differing
}

function valuesOf(pairs: RequestHead['query'], name: string): string {
  const values = pairs.filter(([other]) => other === name).map(([, value]) => value)
  return values.length === 0 ? 'nothing' : values.join(', ')
}
