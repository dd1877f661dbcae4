import { expect, it } from 'vitest'
import { createProgress } from '../../src/cli/progress.ts'

function collect(
  isTTY: boolean,
  isQuiet = false,
): { written: string[]; tick: (ms: number, done: number) => void; end: () => void } {
  const written: string[] = []
  let now = 0
  const stream = { isTTY, write: (text: unknown) => written.push(String(text)) > 0 }
  const progress = createProgress('files read', isQuiet, stream, () => now)
  const tick = (ms: number, done: number): void => {
    now += ms
    progress.at(done)
  }
  return { written, tick, end: () => progress.end() }
}

it('writes one line over on a terminal, and takes it away', () => {
  const { written, tick, end } = collect(true)
  tick(50, 1)
  tick(60, 2)
  tick(10, 3)
  tick(100, 4)
  end()
  expect(written).toEqual(['\r2 files read\u001b[K', '\r4 files read\u001b[K', '\r\u001b[K'])
})

it('writes a line every five seconds anywhere else', () => {
  const { written, tick, end } = collect(false)
  tick(4_999, 1)
  tick(1, 2)
  tick(4_000, 3)
  tick(1_000, 4)
  end()
  expect(written).toEqual(['2 files read\n', '4 files read\n'])
})

it('says nothing of short work, or when it is not to', () => {
  const short = collect(true)
  short.tick(10, 1)
  short.end()
  const quiet = collect(true, true)
  quiet.tick(10_000, 1)
  quiet.end()
  expect([short.written, quiet.written]).toEqual([[], []])
})
