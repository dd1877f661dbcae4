import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Redacted, Exchange } from '../../../src/recording/exchange.ts'
import { exchangesPath } from '../../../src/recording/files/lines.ts'
import { partsOf, readExchangeLines } from '../../../src/recording/files/parts.ts'
import { readExchanges } from '../../../src/recording/files/recording-files.ts'
import { openBody, readBody } from '../../../src/recording/files/read-body.ts'
import { eachRecorded } from '../../../src/recording/inference/recorded.ts'
import {
  collect,
  exchangeOf,
  type Parts,
  temporaryDirectory,
  writeLines,
  writeRecording,
} from '../samples.ts'

const LONG = 'x'.repeat(40_000)

/** A request that began at a second. */
const at = (second: number, name: string, parts: Parts = {}): Parts => ({
  ...{ startedAt: new Date(second * 1000), url: `http://a/${name}` },
  ...parts,
})

const nameOf = ({ request }: Exchange): string => request.url.slice('http://a/'.length)

/** What two gateways recorded. The exchange of the first that began first ended last. */
async function folderOfTwo(): Promise<string> {
  const folder = await temporaryDirectory()
  await writeRecording(join(folder, 'gw-2'), at(2, 'two'), at(4, 'four', { responseBody: LONG }))
  await writeRecording(join(folder, 'gw-1'), at(3, 'three'), at(5, 'five'), at(1, 'one'), at(4, 'also-four'))
  await mkdir(join(folder, 'notes'))
  return folder
}

describe('a folder with a recording of each gateway', () => {
  it('is read as one, by when exchanges began, then by gateway', async () => {
    const folder = await folderOfTwo()
    expect(await partsOf(folder)).toEqual([join(folder, 'gw-1'), join(folder, 'gw-2')])
    const lines = await collect(readExchangeLines(folder))
    expect(lines.map(({ exchange, number, directory }) => [number, nameOf(exchange), directory])).toEqual(
      [
        ['one', 'gw-1'],
        ['two', 'gw-2'],
        ['three', 'gw-1'],
        ['also-four', 'gw-1'],
        ['four', 'gw-2'],
        ['five', 'gw-1'],
      ].map(([name, gateway = ''], index) => [index + 1, name, join(folder, gateway)]),
    )
    const paths = (await collect(eachRecorded(folder))).map(({ index, url }) => `${index} ${url}`)
    expect(paths).toEqual(['0 /one', '1 /two', '2 /three', '3 /also-four', '4 /four', '5 /five'])
  })

  it('gives the bodies of each', async () => {
    const folder = await folderOfTwo()
    const four = (await collect(readExchanges(folder))).find((each) => nameOf(each) === 'four')
    const { content } = (four as Redacted<Exchange>).response
    expect(content._file).toBeDefined()
    expect((await readBody(folder, content))?.toString()).toBe(LONG)
    const opened = await openBody(folder, content, 1000)
    expect(Buffer.isBuffer(opened) ? opened.length : opened.bytes).toBe(LONG.length)
    const missing = { ...content, _file: `bodies/${'0'.repeat(64)}` }
    await expect(readBody(folder, missing)).rejects.toThrow(
      `Cannot read ${join(folder, missing._file)}: it is not there; copy the whole directory of the recording`,
    )
  })

  it('takes lines of other programs, passes over torn ones, and names the file of one that is not an exchange', async () => {
    const folder = await folderOfTwo()
    const first = join(folder, 'gw-0')
    await mkdir(first)
    const { startedDateTime, ...rest } = exchangeOf(at(2, 'other'))
    await writeLines(
      first,
      { ...rest, startedDateTime },
      { ...exchangeOf(at(9, 'no-date')), startedDateTime: 'once' },
    )
    await appendFile(exchangesPath(first), JSON.stringify(exchangeOf(at(0, 'whole'))))
    await appendFile(exchangesPath(join(folder, 'gw-1')), '{"startedDateTime":"1970-01-01T00:00:00.500Z","ti')
    const names = (await collect(readExchanges(folder))).map(nameOf)
    expect(names.slice(0, 5)).toEqual(['no-date', 'whole', 'one', 'other', 'two'])
    expect(names).toHaveLength(9)
    await writeFile(exchangesPath(first), '{"startedDateTime":"1970-01-01T00:00:00.000Z"}\n')
    await expect(collect(readExchanges(folder))).rejects.toThrow(
      `${exchangesPath(first)}:1 is not a recorded exchange`,
    )
  })

  it('is not one where it has exchanges of its own', async () => {
    const folder = await folderOfTwo()
    await writeLines(folder, exchangeOf(at(7, 'own')))
    expect([await partsOf(folder), (await collect(readExchanges(folder))).map(nameOf)]).toEqual([
      [folder],
      ['own'],
    ])
    expect(await readdir(folder)).toContain('gw-1')
  })
})
