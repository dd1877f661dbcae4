import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SnapshotInvalid } from '../../src/errors.ts'
import { readSnapshotStream, type SnapshotEntry, type SnapshotHead } from '../../src/state/snapshot-stream.ts'

/** Reads a text that comes in pieces of so many bytes, each in the memory of the one before. */
async function readInPieces(
  text: string,
  size: number,
): Promise<{ readonly head: SnapshotHead; readonly entries: readonly SnapshotEntry[] }> {
  const bytes = Buffer.from(text)
  const memory = Buffer.alloc(size)
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let from = 0; from < bytes.length; from += size)
      yield memory.subarray(0, bytes.copy(memory, 0, from, from + size))
  }
  const entries: SnapshotEntry[] = []
  const head = await readSnapshotStream('saved.json', chunks(), async (entry) => {
    entries.push(await Promise.resolve(entry))
  })
  return { head, entries }
}

describe('a snapshot that is read as a stream', () => {
  it('has the items and the rest that JSON.parse has, wherever it is cut', async () => {
    const text = fc.constantFrom('a', '"', '\\', '[', ']', '{', '}', ',', ':', 'items', '\u{e9}')
    const item = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 2 })), {
      maxKeys: 3,
    })
    const collection = fc.record({
      assigned: fc.nat(),
      items: fc.array(fc.tuple(text, item), { maxLength: 4 }),
    })
    const snapshot = fc.record({
      version: fc.constant(1),
      collections: fc.dictionary(fc.constantFrom('/users', '/items', '/"a"', '/collections'), collection),
    })
    const spaces = fc.constantFrom(undefined, 2)
    await fc.assert(
      fc.asyncProperty(snapshot, spaces, fc.integer({ min: 1, max: 40 }), async (value, indent, size) => {
        const { head, entries } = await readInPieces(JSON.stringify(value, undefined, indent), size)
        const parsed = JSON.parse(JSON.stringify(value)) as typeof value
        expect(entries).toEqual(
          Object.entries(parsed.collections).flatMap(([path, { items }]) =>
            items.map(([id, each]) => ({ path, id, text: JSON.stringify(each) })),
          ),
        )
        const emptied = Object.entries(parsed.collections).map(([path, { assigned }]) => {
          return [path, { assigned, items: [] }]
        })
        expect(head).toEqual({ version: 1, collections: Object.fromEntries(emptied) })
      }),
    )
  })

  it.for([
    ['{"a":1}', 'what is item 2 of /users is not a pair of id and item'],
    ['["2"]', 'what is item 2 of /users is not a pair of id and item'],
    ['["2",null]', 'what is item 2 of /users is not a pair of id and item'],
    ['[2,{}]', 'what is item 2 of /users is not a pair of id and item'],
  ])('is refused where an item is %s', async ([second, problem]) => {
    const text = `{"version":1,"collections":{"/users":{"assigned":2,"items":[["1",{}],${second}]}}}`
    await expect(readInPieces(text, 7)).rejects.toThrow(
      new SnapshotInvalid(`saved.json is not a snapshot of a store: ${problem}`),
    )
  })

  it('is refused where it ends too early', async () => {
    const text = '{"version":1,"collections":{"/users":{"assigned":2,"items":[["1",{}]'
    await expect(readInPieces(text, 7)).rejects.toThrow('it is not JSON, or it ends too early')
  })
})
