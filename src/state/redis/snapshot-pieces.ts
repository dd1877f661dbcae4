import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { StateContended } from '../../errors.ts'
import type { SessionKeys } from './session-keys.ts'
import { ALIVE_SECONDS, beginSnapshot, readSnapshot } from './snapshot-scripts.ts'
import type { StateServer } from './state-server.ts'

/** The server does nothing else while it reads a page: for about three milliseconds. */
const PAGE = 1000
/** How often a session may begin again while it is read. */
const ATTEMPTS = 3
/** How often one looks whether another snapshot has ended. */
const POLL_MS = 200

/** A piece of a snapshot's text. */
interface Piece {
  readonly text: string
  readonly items: number
}

interface Collection {
  readonly path: string
  readonly items: number
  /** How many ids it has assigned. */
  readonly assigned: number
}

/** What a session stored when a snapshot of it began. */
interface Begun {
  readonly epoch: string
  /** The number of the session's latest change. */
  readonly w: string
  readonly cleared: readonly string[]
  readonly collections: readonly Collection[]
}

/**
 * The text of a snapshot of all that a session stores, in pieces, as of one moment, whatever is written meanwhile: what
 * is changed later is kept as it was. Waits for another snapshot of the session to end.
 * @param restart is called where the session began again meanwhile: what was given is to be thrown away
 * @throws StateContended where it began again and again
 */
export async function* snapshotPieces(
  server: StateServer,
  keys: SessionKeys,
  seed: string | null,
  restart: () => Promise<void>,
): AsyncGenerator<Piece> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const aside = `${keys.prefix}a:${randomUUID()}:`
    const begun = await begin(server, keys, aside)
    try {
      let isComplete = true
      for await (const piece of piecesOf(server, keys, aside, begun, seed)) {
        if (piece === undefined) isComplete = false
        else yield piece
      }
      if (isComplete) return
    } finally {
      const paths = begun.collections.map(({ path }) => path)
      const kept = paths.flatMap((path) => [`${aside}i:${path}`, `${aside}o:${path}`])
      await server
        .command(['HDEL', keys.session, 'snapshot'])
        .then(() => server.command(['UNLINK', aside, ...kept]))
        .catch(() => undefined)
    }
    await restart()
  }
  throw new StateContended(ATTEMPTS)
}

async function begin(server: StateServer, keys: SessionKeys, aside: string): Promise<Begun> {
  for (;;) {
    const reply = (await server.run(
      beginSnapshot,
      [keys.session, keys.known, keys.cleared],
      [aside, keys.prefix],
    )) as readonly [string, string, string[], ...string[]] | null
    if (reply === null) {
      await wait(POLL_MS)
      continue
    }
    const [epoch, w, cleared, ...flat] = reply
    const collections = Array.from({ length: flat.length / 3 }, (_, index): Collection => {
      const [path = '', items, assigned] = flat.slice(3 * index, 3 * index + 3)
      return { path, items: Number(items), assigned: Number(assigned) }
    })
    const byPath = collections.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    return { epoch, w, cleared: cleared.toSorted(), collections: byPath }
  }
}

/** Ends with nothing where the session began again. */
async function* piecesOf(
  server: StateServer,
  keys: SessionKeys,
  aside: string,
  { epoch, w, cleared, collections }: Begun,
  seed: string | null,
): AsyncGenerator<Piece | undefined> {
  const more = { ...(seed !== null && { seed: JSON.parse(seed) as unknown }), cleared }
  yield { text: `{"version":1,${JSON.stringify(more).slice(1, -1)},"collections":{`, items: 0 }
  let renewedAt = performance.now()
  for (const [index, { path, assigned }] of collections.entries()) {
    const start = `${index === 0 ? '' : ','}\n${JSON.stringify(path)}:{"assigned":${assigned},"items":[`
    yield { text: start, items: 0 }
    const scriptKeys = [
      ...[keys.session, keys.items(path), keys.order(path)],
      ...[`${aside}i:${path}`, `${aside}o:${path}`],
    ]
    let after = '-inf'
    let separator = ''
    while (after !== w) {
      const args = [aside, epoch, after === '-inf' ? after : `(${after}`, w, PAGE]
      const page = (await server.run(readSnapshot, scriptKeys, args)) as [string, string[]] | null
      if (page === null) {
        yield undefined
        return
      }
      const lines = linesOf(page[1])
      if (lines.length > 0) yield { text: `${separator}\n${lines.join(',\n')}`, items: lines.length }
      if (lines.length > 0) separator = ','
      after = page[0]
      if (performance.now() - renewedAt > (ALIVE_SECONDS * 1000) / 6) {
        renewedAt = performance.now()
        await server.command(['EXPIRE', aside, String(ALIVE_SECONDS)])
      }
    }
    yield { text: ']}', items: 0 }
  }
  yield { text: '}}\n', items: 0 }
}

/** @param flat id, place and what is held of each item, one after the other */
function linesOf(flat: readonly string[]): string[] {
  return Array.from({ length: flat.length / 3 }, (_, index) => flat.slice(3 * index, 3 * index + 3))
    .toSorted(([, a], [, b]) => Number(a) - Number(b))
    .map(([id, , text = '']) => `[${JSON.stringify(id)},${text.slice(text.indexOf(':') + 1)}]`)
}
