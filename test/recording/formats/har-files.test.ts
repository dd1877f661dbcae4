import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/recording/exchange.ts'
import { openRecording, readExchanges } from '../../../src/recording/files/recording-files.ts'
import { importHar } from '../../../src/recording/formats/import-har.ts'
import { toHar } from '../../../src/recording/formats/export.ts'
import { allBytes, collect, redact, temporaryDirectory } from '../samples.ts'

const FOLDER = join(import.meta.dirname, 'har-files')
const SECRET = 'pl4nted-s3cret-of-a-har-file'

function read(file: string): ReturnType<typeof importHar> {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  expect(text).toContain(SECRET)
  return importHar(text)
}

/** Sizes are those before redaction, which a file does not state of a text. */
function withoutSizes(exchange: Exchange): unknown {
  const isSize = (key: string): boolean => /^(size|bodySize|compression)$/.test(key)
  return JSON.parse(JSON.stringify(exchange, (key, value: unknown) => (isSize(key) ? undefined : value)))
}

/** Files in the forms of these programs. */
const FILES = {
  'chrome.har': {
    urls: [
      'https://api.example.com/login?api_key=',
      'https://app.example.com/dot.png',
      'https://app.example.com/large.html',
      'https://api.example.com/live',
    ],
    skipped: { 'no answer': 1, 'not an HTTP URL': 1 },
  },
  'firefox.har': { urls: ['https://app.example.com/session', 'https://app.example.com/home'], skipped: {} },
  'mitmproxy.har': {
    urls: ['https://api.example.com/files/1', 'https://api.example.com/live'],
    skipped: { 'no answer': 1 },
  },
  'charles.har': {
    urls: ['http://api.example.com/me?sig='],
    skipped: { 'a tunnel': 1, 'no request and response': 1 },
  },
}

describe.for(Object.entries(FILES))('%s', ([file, { urls, skipped }]) => {
  it('is read, and counts what is not an exchange', () => {
    const imported = read(file)
    expect(imported.exchanges.map(({ request }) => request.url.replace(SECRET, ''))).toEqual(urls)
    expect(Object.fromEntries(imported.skipped)).toEqual(skipped)
  })

  it('is recorded without its secrets, and comes out as a HAR file that says the same', async () => {
    const directory = await temporaryDirectory()
    const recording = await openRecording(directory)
    for (const exchange of read(file).exchanges) await recording.append(redact(exchange))
    await recording.close()
    expect((await allBytes(directory)).bytes.includes(SECRET)).toBe(false)

    const recorded = await collect(readExchanges(directory))
    const document = await toHar(readExchanges(directory), '1.0.0', async () => undefined)
    const again = importHar(JSON.stringify(document))
    expect(again.skipped.size).toBe(0)
    expect(again.exchanges.map((exchange) => withoutSizes(redact(exchange)))).toEqual(
      recorded.map(withoutSizes),
    )
  })
})

describe('what is read', () => {
  it('has the messages of a WebSocket', () => {
    const [, , , live] = read('chrome.har').exchanges
    expect(live?._resourceType).toBe('websocket')
    expect(live?._webSocketMessages?.map(({ type, opcode }) => [type, opcode])).toEqual([
      ['send', 1],
      ['receive', 1],
      ['receive', 2],
    ])
  })

  it('says that a body is not there which the browser forgot', () => {
    const [, , large] = read('chrome.har').exchanges
    expect(large?.response.content).toMatchObject({ size: 91_234, _omitted: 'not in the HAR file' })
  })

  it('has binary bodies as they were', () => {
    const [, dot] = read('chrome.har').exchanges
    expect(dot?.response.content).toMatchObject({ encoding: 'base64', text: 'iVBOR/8=' })
  })

  it('has cookies that no header has, and the moment in any time zone', () => {
    const [session] = read('firefox.har').exchanges
    expect(session?.request.cookies).toEqual([{ name: 'sid', value: SECRET }])
    expect(session?.startedDateTime).toBe('2026-01-31T10:00:01.120Z')
  })
})
