import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createAppendLines } from '../../../src/recording/files/append-lines.ts'
import { temporaryDirectory } from '../samples.ts'

it('writes short batches at once and long ones beside, each after the one before', async () => {
  const path = join(await temporaryDirectory(), 'lines')
  const file = await open(path, 'a')
  const appendLines = createAppendLines()
  const lines = [['one', 'zw\u00f6lf'], ['x'.repeat(300_000)], ['\u{1F600}']]
  const waited = []
  for (const batch of lines) {
    const writing = appendLines(file, batch)
    waited.push(writing !== undefined)
    await writing
  }
  await file.close()
  expect(waited).toEqual([false, true, false])
  expect(await readFile(path, 'utf8')).toBe(`${lines.flat().join('\n')}\n`)
})

it('leaves writing to another thread for a while after the system took its time', async () => {
  const file = await open(join(await temporaryDirectory(), 'lines'), 'a')
  onTestFinished(() => file.close())
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 50))
  onTestFinished(() => clock.mockRestore())
  const appendLines = createAppendLines()
  expect(appendLines(file, ['a'])).toBeUndefined()
  const second = appendLines(file, ['b'])
  expect(second).toBeInstanceOf(Promise)
  await second
  now += 60_000
  expect(appendLines(file, ['c'])).toBeUndefined()
})
