import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endLastLine, readLines, type Line } from '../../../src/recording/files/lines.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import { collect, temporaryDirectory } from '../samples.ts'

async function fileOf(content: string): Promise<string> {
  const path = join(await temporaryDirectory(), 'lines')
  await writeFile(path, content)
  return path
}

async function linesOf(content: string): Promise<Line[]> {
  return collect(readLines(await fileOf(content)))
}

describe('readLines', () => {
  it('numbers lines, passes over empty ones and tells a torn one', async () => {
    expect(await linesOf('a\n\nb\nc')).toEqual([
      { text: 'a', number: 1, start: 0, bytes: 1, isTorn: false },
      { text: 'b', number: 3, start: 3, bytes: 1, isTorn: false },
      { text: 'c', number: 4, start: 5, bytes: 1, isTorn: true },
    ])
  })

  it('ends no line at U+2028, which JSON may hold', async () => {
    expect(await linesOf('"a\u2028b"\n')).toEqual([
      { text: '"a\u2028b"', number: 1, start: 0, bytes: 7, isTorn: false },
    ])
  })

  it('joins lines that are longer than a block', async () => {
    const long = '\u00e9'.repeat(100_000)

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
})

describe('endLastLine', () => {
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
