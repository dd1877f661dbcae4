import { open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { collect, temporaryDirectory } from '../samples.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import { createAppendLines, endLastLine, type Line, readLines } from '../../../src/recording/files/lines.ts'

describe('lines', () => {
  async function fileOf(content: string): Promise<string> {
    const path = join(await temporaryDirectory(), 'lines')
    await writeFile(path, content)
    return path
  }

  async function linesOf(content: string): Promise<Line[]> {
    return collect(readLines(await fileOf(content)))
  }

  it('numbers lines, passes over empty ones and marks a torn one', async () => {
    expect(await linesOf('a\n\nb\nc')).toEqual([
      { text: 'a', number: 1, start: 0, bytes: 1, isTorn: false },
      { text: 'b', number: 3, start: 3, bytes: 1, isTorn: false },
      { text: 'c', number: 4, start: 5, bytes: 1, isTorn: true },
    ])
  })

  it('refuses a line that no text can hold before it has read all of it', async () => {
    const path = await fileOf('a\n')
    await truncate(path, 150 * 2 ** 20)
    const lines = readLines(path)
    expect((await lines.next()).value).toMatchObject({ text: 'a' })
    await expect(lines.next()).rejects.toThrow(
      new RecordingUnusable(`${path}:2 is longer than 128 MiB, more than an exchange may be`),
    )
  })

  it('ends no line at U+2028, which JSON may hold', async () => {
    expect(await linesOf('"a\u2028b"\n')).toEqual([
      { text: '"a\u2028b"', number: 1, start: 0, bytes: 7, isTorn: false },
    ])
  })

  it('joins lines that are longer than a block', async () => {
    const long = Array.from({ length: 60_000 }, (_, at) => `\u00e9${at}`).join('')

    expect((await linesOf(`x${long}\n${long}\n`)).map(({ text }) => text)).toEqual([`x${long}`, long])
  })

  it('gives nothing for an empty file', async () => {
    expect(await linesOf('')).toEqual([])
  })

  it('names a file that is not there', async () => {
    const path = join(await temporaryDirectory(), 'nowhere')
    const reading = collect(readLines(path))

    await expect(reading).rejects.toThrow(RecordingUnusable)
    await expect(reading).rejects.toThrow(path)
  })

  it.for([
    ['{"a":1}\n{"b":', '{"a":1}\n'],
    ['{"b":', ''],
    ['{"a":1}\n{"b":2}', '{"a":1}\n{"b":2}\n'],
    ['{"a":1}\n', '{"a":1}\n'],
    ['', ''],
    [`{"a":1}\n"${'x'.repeat(200_000)}`, '{"a":1}\n'],
    ['{"a":1}\n\0\0\0', '{"a":1}\n'],
  ])('makes a file end with a whole line (%#)', async ([before = '', after]) => {
    const path = await fileOf(before)
    await endLastLine(path)

    expect(await readFile(path, 'utf8')).toBe(after)
  })

  it('needs no file', async () => {
    await expect(endLastLine(join(await temporaryDirectory(), 'nowhere'))).resolves.toBeUndefined()
  })

  it('fails for what is not a file', async () => {
    await expect(endLastLine(await temporaryDirectory())).rejects.toThrow('EISDIR')
  })
})

describe('append lines', () => {
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
})
