import { randomUUID } from 'node:crypto'
import { StateContended } from '../../errors.ts'
import { defineScript } from './scripts.ts'
import { storedCollections, type StoredCollection } from './session-items.ts'
import type { SessionKeys } from './session-keys.ts'
import type { StateServer } from './state-server.ts'

const PAGE = 1000
const ATTEMPTS = 3
/** The most items that are copied: the server does nothing else meanwhile, for about 200 milliseconds with so many. */
const MAX_COPIED = 100_000
/** How long a copy is kept where it is not taken away. */
const KEPT_SECONDS = 600

/** A piece of a snapshot's text. */
interface Piece {
  readonly text: string
  readonly items: number
}

/** Where the items of a collection are read. */
interface Source extends Pick<StoredCollection, 'path' | 'items' | 'assigned'> {
  readonly keys: { readonly items: string; readonly order: string }
}

/**
 * The text of a snapshot of all that a session stores, in pieces, as of one moment. What is changed while it is read, again
 * and again, is copied first.
 * @param restart is called where the session was changed meanwhile: what was given is to be thrown away
 * @throws StateContended where it was changed again and again, and is too large to be copied
 */
export async function* snapshotPieces(
  server: StateServer,
  keys: SessionKeys,
  seed: string | null,
  restart: () => Promise<void>,
): AsyncGenerator<Piece> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const before = await momentOf(server, keys)
    const cleared = (await server.command(['SMEMBERS', keys.cleared], true)) as string[]
    const sources = before.collections.map((each) => ({
      ...each,
      keys: { items: keys.items(each.path), order: keys.order(each.path) },
    }))
    yield* piecesOf(server, seed, cleared, sources)
    const { text } = await momentOf(server, keys)
    if (text === before.text) return
    await restart()
  }
  const copy = await copyOf(server, keys)
  try {
    yield* piecesOf(server, seed, copy.cleared, copy.sources)
  } finally {
    await copy.drop()
  }
}

async function* piecesOf(
  server: StateServer,
  seed: string | null,
  cleared: readonly string[],
  sources: readonly Source[],
): AsyncGenerator<Piece> {
  const more = { ...(seed !== null && { seed: JSON.parse(seed) as unknown }), cleared: cleared.toSorted() }
  yield { text: `{"version":1,${JSON.stringify(more).slice(1, -1)},"collections":{`, items: 0 }
  for (const [index, source] of sources.entries()) {
    const { path, items, assigned } = source
    const start = `${index === 0 ? '' : ','}\n${JSON.stringify(path)}:{"assigned":${assigned},"items":[`
    yield { text: start, items: 0 }
    for (let offset = 0; offset < items; offset += PAGE) {
      const page = await readPage(server, source.keys, offset)
      yield { text: `${offset === 0 ? '' : ','}\n${page.join(',\n')}`, items: page.length }
    }
    yield { text: ']}', items: 0 }
  }
  yield { text: '}}\n', items: 0 }
}

async function momentOf(
  server: StateServer,
  keys: SessionKeys,
): Promise<{ readonly text: string; readonly collections: readonly StoredCollection[] }> {
  const [epoch, collections] = await Promise.all([
    server.command(['HGET', keys.session, 'epoch'], true),
    storedCollections(server, keys),
  ])
  return { text: JSON.stringify([epoch, collections]), collections }
}

async function readPage(server: StateServer, keys: Source['keys'], offset: number): Promise<string[]> {
  const ids = (await server.command(
    ['ZRANGE', keys.order, String(offset), String(offset + PAGE - 1)],
    true,
  )) as string[]
  if (ids.length === 0) return []
  const texts = (await server.command(['HMGET', keys.items, ...ids], true)) as (string | null)[]
  return ids.flatMap((id, index) => {
    const text = texts[index]
    return text === null || text === undefined
      ? []
      : [`[${JSON.stringify(id)},${text.slice(text.indexOf(':') + 1)}]`]
  })
}

/** What a session stores, aside. @throws StateContended where it is too large */
async function copyOf(
  server: StateServer,
  keys: SessionKeys,
): Promise<{
  readonly cleared: readonly string[]
  readonly sources: readonly Source[]
  drop(): Promise<void>
}> {
  const aside = `${keys.prefix}a:${randomUUID()}:`
  const args = [keys.prefix, aside, MAX_COPIED, KEPT_SECONDS]
  const reply = (await server.run(copyAside, [keys.known, keys.cleared], args)) as
    readonly [string[], ...string[]] | null
  if (reply === null) throw new StateContended(ATTEMPTS)
  const [cleared, ...flat] = reply
  const sources = Array.from({ length: flat.length / 3 }, (_, index): Source => {
    const [path = '', items, assigned] = flat.slice(3 * index, 3 * index + 3)
    const names = { items: `${aside}${index + 1}i`, order: `${aside}${index + 1}o` }
    return { path, items: Number(items), assigned: Number(assigned), keys: names }
  })
  const names = sources.flatMap((source) => [source.keys.items, source.keys.order])
  return {
    cleared,
    sources: sources.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    async drop() {
      if (names.length > 0) await server.command(['UNLINK', ...names]).catch(() => undefined)
    },
  }
}

// Which collections are cleared, then path, number of items and assigned ids of each. Nothing where they have too many.
const copyAside = defineScript(
  'copyAside',
  [],
  `local prefix, aside = ARGV[1], ARGV[2]
local paths, total = redis.call('SMEMBERS', KEYS[1]), 0
for _, path in ipairs(paths) do total = total + redis.call('ZCARD', prefix .. 'o:' .. path) end
if total > tonumber(ARGV[3]) then return false end
local reply = {redis.call('SMEMBERS', KEYS[2])}
for index, path in ipairs(paths) do
  for _, kind in ipairs({'i', 'o'}) do
    local name = aside .. index .. kind
    redis.call('COPY', prefix .. kind .. ':' .. path, name)
    redis.call('EXPIRE', name, ARGV[4])
  end
  reply[#reply + 1] = path
  reply[#reply + 1] = tostring(redis.call('ZCARD', prefix .. 'o:' .. path))
  reply[#reply + 1] = redis.call('HGET', prefix .. 'm:' .. path, 'assigned') or '0'
end
return reply`,
)
