import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paced, startPace } from '../../../src/recording/replay/send-replay.ts'
import { createClock } from '../../../src/state/clock.ts'

async function play(
  blocks: readonly Buffer[],
  chunks: readonly { timeMs: number; bytes: number }[],
): Promise<(string | number)[]> {
  const seen: (string | number)[] = []
  const until = async (ms: number): Promise<void> => void seen.push(ms)
  for await (const piece of paced(blocks, { beganMs: 0, chunks, isEndless: false }, until))
    seen.push(piece.toString('latin1'))
  return seen
}

describe('paced', () => {
  it('gives each piece at its time, and what is left over with the last', async () => {
    const chunks = [
      { timeMs: 0, bytes: 2 },
      { timeMs: 5, bytes: 1 },
      { timeMs: 9, bytes: 1 },
    ]
    expect(await play([Buffer.from('abcdef')], chunks)).toEqual([0, 'ab', 5, 'c', 9, 'def'])
    expect(await play([Buffer.from('a')], chunks)).toEqual([0, 'a'])
    expect(await play([Buffer.from('ab')], [])).toEqual(['ab'])
    expect(await play([], chunks)).toEqual([])
  })

  it('gives all bytes in their order, however they come, and each not before its time', async () => {
    const chunk = fc.record({ timeMs: fc.nat(), bytes: fc.integer({ min: 1, max: 5 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary-ascii' })),
        fc.array(chunk),
        async (texts, chunks) => {
          const seen = await play(
            texts.map((text) => Buffer.from(text, 'latin1')),
            chunks,
          )
          expect(seen.filter((each) => typeof each === 'string').join('')).toBe(texts.join(''))
          let due = 0
          let given = 0
          for (const each of seen) {
            if (typeof each === 'number') {
              expect(each).toBe(chunks[due]?.timeMs)
              expect(given).toBe(chunks.slice(0, due).reduce((sum, { bytes }) => sum + bytes, 0))
              due++
            } else given += each.length
          }
        },
      ),
    )
  })
})

describe('startPace', () => {
  it('waits by the clock it is given, from its start', async () => {
    const clock = createClock()
    clock.freeze()
    const left = new AbortController()
    const until = startPace(clock, left.signal)
    await until(0)
    const reached = until(1000)
    clock.advance(1500)
    await reached
    await until(1400)
    const never = until(1600)
    left.abort()
    await expect(never).rejects.toThrow('aborted')
  })
})
