import { appendFile, mkdir, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exchangeOf, temporaryDirectory, writeLines } from '../samples.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import type { Exchange } from '../../../src/recording/exchange.ts'
import { type Followed, followExchanges, type Place } from '../../../src/recording/replay/follow-exchanges.ts'

interface Reported {
  readonly directory: string
  readonly file: string
  readonly followed: Followed
  /** What is known since the last restart, and how often an exchange was reported in all. */
  readonly urls: string[]
  readonly places: Place[]
  readonly reported: () => number
}

const line = (name: string, responseBody = ''): object =>
  exchangeOf({ url: `http://a/${name}`, responseBody })

async function follow(...names: readonly string[]): Promise<Reported> {
  const directory = await writeLines(await temporaryDirectory(), ...names.map((name) => line(name)))
  const urls: string[] = []
  const places: Place[] = []
  let reported = 0
  const followed = await followExchanges(directory, {
    restart: () => void (urls.splice(0), places.splice(0)),
    async add({ request }, place) {
      reported++
      urls.push(request.url.slice('http://a/'.length))
      places.push(place)
    },
  })
  onTestFinished(() => followed.close())
  return {
    directory,
    file: join(directory, 'exchanges.ndjson'),
    followed,
    urls,
    places,
    reported: () => reported,
  }
}

describe('followExchanges', () => {
  it('reports what there is, and then only what was added', async () => {
    const { directory, followed, urls, reported } = await follow('one', 'two')
    await followed.update()
    expect(urls).toEqual(['one', 'two'])
    await writeLines(directory, line('three'))
    await Promise.all([followed.update(), followed.update(), followed.update()])
    expect(urls.slice(2)).toEqual(['three'])
    expect(reported()).toBe(3)
  })

  it.skipIf(process.platform !== 'linux')('leaves no file open when it is closed at work', async () => {
    const { directory, file, followed } = await follow('one')
    await rm(file)
    await writeLines(directory, line('two'))
    const updated = followed.update()
    await Promise.all([followed.close(), updated])
    const links = (await readdir('/proc/self/fd')).map((fd) =>
      readlink(`/proc/self/fd/${fd}`).catch(() => ''),
    )
    expect((await Promise.all(links)).filter((path) => path.startsWith(file))).toEqual([])
  })

  it('reads each exchange again from its place', async () => {
    const { directory, followed, places } = await follow('one')
    await writeLines(directory, line('two', 'ä\u2028😀'.repeat(50_000)), line('three'))
    await followed.update()
    const read = await Promise.all(places.map((place) => followed.read(place)))
    expect(read.map((exchange) => exchange?.request.url)).toEqual([
      'http://a/one',
      'http://a/two',
      'http://a/three',
    ])
    expect(read[1]?.response.content.text).toBe('ä\u2028😀'.repeat(50_000))
  })

  it('keeps what it read for as long as the file stays as it is', async () => {
    const { file, followed, places } = await follow('one', 'two')
    const read = async (): Promise<Exchange | undefined> => followed.read(places[0] as Place)
    const one = await read()
    expect(one?.request.url).toBe('http://a/one')
    expect(await read()).toBe(one)
    const text = await readFile(file, 'utf8')
    // Neither its length nor its end shows that it was edited.
    await writeFile(file, text.replace('http://a/one', 'http://a/ONE'))
    await followed.update()
    expect((await read())?.request.url).toBe('http://a/ONE')
    await writeFile(`${file}.new`, text.replaceAll('http://a/', 'http://b/'))
    await rename(`${file}.new`, file)
    await followed.update()
    expect((await read())?.request.url).toBe('http://b/one')
  })

  it('waits for the rest of a line that is being written', async () => {
    const { file, followed, urls, reported } = await follow('one')
    const text = `${JSON.stringify(line('two'))}\n`
    for (const part of [text.slice(0, 50), text.slice(50, -1)]) {
      await appendFile(file, part)
      await followed.update()
    }
    expect(urls).toEqual(['one', 'two'])
    await appendFile(file, `\n${JSON.stringify(line('three'))}\n`)
    await followed.update()
    expect(urls).toEqual(['one', 'two', 'three'])
    expect(reported()).toBe(3)
  })

  it.for<[string, (file: string) => Promise<unknown>, string[]]>([
    [
      'replaced by a shorter file',
      async (file) => {
        await writeFile(`${file}.new`, `${JSON.stringify(line('new'))}\n`)
        await rename(`${file}.new`, file)
      },
      ['new'],
    ],
    [
      'replaced by a longer one',
      async (file) => {
        const text = await readFile(file, 'utf8')
        await writeFile(`${file}.new`, `${JSON.stringify(line('new'))}\n${text}`)
        await rename(`${file}.new`, file)
      },
      ['new', 'one', 'two'],
    ],
    [
      'written anew in place, longer',
      (file) =>
        writeFile(
          file,
          `${JSON.stringify(line('new', 'x'.repeat(5000)))}\n${JSON.stringify(line('more'))}\n`,
        ),
      ['new', 'more'],
    ],
    ['emptied', (file) => writeFile(file, ''), []],
  ])('begins anew when the file was %s', async ([, change, wanted]) => {
    const { file, followed, urls } = await follow('one', 'two')
    await change(file)
    await followed.update()
    expect(urls).toEqual(wanted)
  })

  it('begins anew many times, and keeps no file open that is gone', async () => {
    const { file, followed, urls } = await follow('one')
    for (let times = 0; times < 50; times++) {
      await writeFile(`${file}.new`, `${JSON.stringify(line(`n${times}`))}\n`)
      await rename(`${file}.new`, file)
      await followed.update()
      await appendFile(file, `${JSON.stringify(line('more'))}\n`)
      await followed.update()
    }
    expect(urls).toEqual(['n49', 'more'])
  })

  it('passes on what several gateways recorded by when it began, and then what was added', async () => {
    const folder = await temporaryDirectory()
    const [first, second, third] = ['a', 'b', 'c'].map((gateway) => join(folder, gateway)) as [
      string,
      string,
      string,
    ]
    const at = (second: number, name: string): object =>
      exchangeOf({ url: `http://a/${name}`, startedAt: new Date(second * 1000) })
    for (const gateway of [first, second, third]) await mkdir(gateway)
    await writeLines(first, at(3, 'three'), at(2, 'two'))
    await writeLines(second, at(1, 'one'))
    const urls: string[] = []
    const places: Place[] = []
    const follower = {
      restart: () => void (urls.splice(0), places.splice(0)),
      add: async ({ request }: Exchange, place: Place): Promise<void> => {
        urls.push(request.url.slice('http://a/'.length))
        places.push(place)
      },
    }
    const followed = await followExchanges(folder, follower)
    onTestFinished(() => followed.close())
    expect(urls).toEqual(['one', 'two', 'three'])
    await writeLines(first, at(6, 'six'))
    await writeLines(second, at(5, 'five'))
    await Promise.all([followed.update(), followed.update()])
    expect(urls).toEqual(['one', 'two', 'three', 'five', 'six'])
    const read = await Promise.all(places.map((place) => followed.read(place)))
    expect(read.map((exchange) => exchange?.request.url.slice('http://a/'.length))).toEqual(urls)
    // Another gateway, and a recording that was replaced: all that reads the folder has the same order again.
    await writeLines(third, at(4, 'four'))
    await followed.update()
    expect(urls).toEqual(['one', 'two', 'three', 'four', 'five', 'six'])
    await rm(join(second, 'exchanges.ndjson'))
    await writeLines(second, at(7, 'seven'))
    await followed.update()
    expect(urls).toEqual(['two', 'three', 'four', 'six', 'seven'])
    await appendFile(join(third, 'exchanges.ndjson'), 'nothing\n')
    await expect(followed.update()).rejects.toThrow(`${join(third, 'exchanges.ndjson')}:2 is not`)
    await rm(third, { recursive: true })
    await followed.update()
    expect(urls).toEqual(['two', 'three', 'six', 'seven'])
  })

  it('names the line of an exchange that cannot be used', async () => {
    const directory = await writeLines(await temporaryDirectory(), line('one'), line('two'))
    const add = async ({ request }: Exchange): Promise<void> => {
      if (request.url.endsWith('two')) throw new TypeError('Invalid URL')
    }
    await expect(followExchanges(directory, { restart: () => undefined, add })).rejects.toThrow(
      'exchanges.ndjson:2 cannot be used: Invalid URL',
    )
  })

  it('names the line that is not an exchange, and what cannot be read', async () => {
    const { file, followed, urls } = await follow('one')
    await appendFile(file, `\n{"request":1}\n${JSON.stringify(line('two'))}\n`)
    await expect(followed.update()).rejects.toThrow(`${file}:3 is not a recorded exchange`)
    await writeFile(file, `${JSON.stringify(line('mended'))}\n`)
    await followed.update()
    expect(urls).toEqual(['mended'])
    await rm(file)
    await expect(followed.update()).rejects.toThrow(RecordingUnusable)
    await expect(followExchanges(join(file, 'none'), {} as never)).rejects.toThrow('Cannot read')
  })
})
