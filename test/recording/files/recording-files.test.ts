import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, chmod, open, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Content, Exchange, Redacted } from '../../../src/recording/exchange.ts'
import { openRecording, readExchanges } from '../../../src/recording/files/recording-files.ts'
import { openBody, readBody } from '../../../src/recording/files/read-body.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import { allBytes, collect, exchangeOf, redact, temporaryDirectory, type Parts } from '../samples.ts'

const small = exchangeOf({ url: 'https://h/small' })

async function record(directory: string, ...exchanges: Exchange[]): Promise<void> {
  const files = await openRecording(directory)
  await Promise.all(exchanges.map((exchange) => files.append(redact(exchange))))
  await files.close()
}

function readAll(directory: string): Promise<Redacted<Exchange>[]> {
  return collect(readExchanges(directory))
}

function hashOf(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('hex')
}

it('reads nothing but files: neither a pipe that has no end, nor what a link of a body leads to', async () => {
  const directory = await temporaryDirectory()
  await record(directory, exchangeOf({ url: 'https://h/long', responseBody: 'x'.repeat(100_000) }))
  const [exchange] = await readAll(directory)
  const body = exchange?.response.content as Content
  const path = join(directory, body._file as string)
  await rename(path, join(directory, 'elsewhere'))
  await symlink(join(directory, 'elsewhere'), path)
  await expect(readBody(directory, body)).rejects.toThrow(`Cannot read ${path}: it is not a file`)
  await rm(path)
  execFileSync('mkfifo', [path])
  await expect(openBody(directory, body, 1)).rejects.toThrow(`Cannot read ${path}: it is not a file`)
  const file = join(directory, 'exchanges.ndjson')
  await rm(file)
  execFileSync('mkfifo', [file])
  await expect(readAll(directory)).rejects.toThrow(`Cannot read the recording: ${file} is not a file`)
})

describe('openRecording', () => {
  it('ends without an error where its folder is a file meanwhile', async () => {
    const directory = join(await temporaryDirectory(), 'r')
    const files = await openRecording(directory)
    await rm(directory, { recursive: true })
    await writeFile(directory, '')
    await files.close()
  })

  it('makes the directory for this user only', async () => {
    const directory = join(await temporaryDirectory(), 'a', 'b')
    await record(directory, small)

    const modeOf = async (path: string): Promise<number> => (await stat(join(directory, path))).mode & 0o777
    expect(await Promise.all(['.', 'bodies', 'exchanges.ndjson'].map(modeOf))).toEqual([0o700, 0o700, 0o600])
  })

  it('writes one exchange a line, in the order they were appended', async () => {
    const directory = await temporaryDirectory()
    const exchanges = Array.from({ length: 20 }, (_, i) =>
      exchangeOf({ url: `https://h/${i}`, responseBody: 'x'.repeat(i % 2 === 0 ? 100_000 : 1) }),
    )
    await record(directory, ...exchanges)

    expect((await readFile(join(directory, 'exchanges.ndjson'), 'utf8')).match(/\n/g)).toHaveLength(20)
    expect((await readAll(directory)).map(({ request }) => request.url)).toEqual(
      exchanges.map(({ request }) => request.url),
    )
  })

  it('adds to what is there', async () => {
    const directory = await temporaryDirectory()
    await record(directory, small)
    await record(directory, small)

    expect(await readAll(directory)).toEqual([small, small])
  })

  it('cuts a torn line off before it adds', async () => {
    const directory = await temporaryDirectory()
    await record(directory, small)
    await appendFile(join(directory, 'exchanges.ndjson'), JSON.stringify(small).slice(0, 100))
    await record(directory, small)

    expect(await readAll(directory)).toEqual([small, small])
  })

  it('stores bodies over 32 KiB by their hash, and reads them back', async () => {
    const directory = await temporaryDirectory()
    const text = '\u00e9'.repeat(20_000)
    const binary = Buffer.alloc(40_000, 0xff)
    await record(directory, exchangeOf({ requestBody: text, responseBody: binary }))

    const [{ request, response } = small] = await readAll(directory)
    expect(request.postData).toEqual({ mimeType: '', _file: `bodies/${hashOf(text)}`, _sha256: hashOf(text) })
    expect(response.content).toEqual({
      mimeType: '',
      size: 40_000,
      _file: `bodies/${hashOf(binary)}`,
      _sha256: hashOf(binary),
    })
    expect((await readBody(directory, request.postData ?? response.content))?.toString()).toBe(text)
    expect(await readBody(directory, response.content)).toEqual(binary)
  })

  it('keeps bodies of 32 KiB inline', async () => {
    const directory = await temporaryDirectory()
    const bytes = Buffer.alloc(32 * 1024, 0xff)
    await record(directory, exchangeOf({ responseBody: bytes }))

    const [{ response } = small] = await readAll(directory)
    expect((await allBytes(directory)).paths).toEqual(['exchanges.ndjson'])
    expect(await readBody(directory, response.content)).toEqual(bytes)
  })

  it('fails in one sentence when the directory cannot be made', async () => {
    const directory = join(await temporaryDirectory(), 'file')
    await writeFile(directory, '')
    const opening = openRecording(directory)

    await expect(opening).rejects.toThrow(RecordingUnusable)
    await expect(opening).rejects.toThrow(`Cannot record to ${directory}: `)
  })

  it.skipIf(process.getuid?.() === 0)('fails when the directory cannot be written', async () => {
    const directory = await temporaryDirectory()
    await chmod(directory, 0o500)

    await expect(openRecording(directory)).rejects.toThrow(RecordingUnusable)
  })

  it('goes on after an exchange that could not be written', async () => {
    const directory = await temporaryDirectory()
    const files = await openRecording(directory)
    await rm(join(directory, 'bodies'), { recursive: true })

    await expect(files.append(redact(exchangeOf({ responseBody: 'x'.repeat(40_000) })))).rejects.toThrow(
      'ENOENT',
    )
    await files.append(redact(small))
    await files.close()
    expect(await readAll(directory)).toEqual([small])
  })

  it('writes no secret that redaction found', async () => {
    const directory = await temporaryDirectory()
    const parts: Parts = {
      requestHeaders: [['content-type', 'application/json']],
      requestBody: JSON.stringify({ rows: 'x'.repeat(40_000), token: 'pl4nted-s3cret' }),
    }
    await record(directory, exchangeOf(parts))

    expect((await allBytes(directory)).bytes.includes('pl4nted-s3cret')).toBe(false)
  })
})

describe('readExchanges', () => {
  it('passes over a torn last line', async () => {
    const directory = await temporaryDirectory()
    await record(directory, small)
    await appendFile(join(directory, 'exchanges.ndjson'), '{"startedDateTime":')

    expect(await readAll(directory)).toEqual([small])
  })

  it.for(['{"torn":', 'null', '7', '{}', '{"request":{"url":"/"},"response":{}}'])(
    'names the file and line of %s',
    async (line) => {
      const directory = await temporaryDirectory()
      await record(directory, small)
      const path = join(directory, 'exchanges.ndjson')
      await appendFile(path, `${line}\n${JSON.stringify(small)}\n`)
      const reading = readAll(directory)

      await expect(reading).rejects.toThrow(RecordingUnusable)
      await expect(reading).rejects.toThrow(`${path}:2 is not a recorded exchange`)
    },
  )

  it('fails where there is no recording', async () => {
    await expect(readAll(join(await temporaryDirectory(), 'none'))).rejects.toThrow(RecordingUnusable)
  })
})

describe('readBody', () => {
  it('gives nothing for a body that was left out', async () => {
    expect(await readBody('.', { mimeType: '', size: 9, _omitted: 'too odd' })).toBeUndefined()
  })

  it('reads no file outside the recording', async () => {
    await expect(readBody('.', { mimeType: '', _file: 'bodies/../package.json' })).rejects.toThrow(
      RecordingUnusable,
    )
  })

  it('names a body that is not there', async () => {
    const directory = await temporaryDirectory()
    const _file = `bodies/${'0'.repeat(64)}`

    await expect(readBody(directory, { mimeType: '', _file })).rejects.toThrow(join(directory, _file))
  })
})

describe('a full disk', () => {
  it('fails the exchange that the disk has no space for, and those after it', async () => {
    const directory = await temporaryDirectory()
    const probe = await open(join(directory, 'probe'), 'w')
    const prototype = Object.getPrototypeOf(probe) as typeof probe
    await probe.close()
    const files = await openRecording(directory)
    const full = await open('/dev/full', 'w')
    const fd = vi.spyOn(prototype, 'fd', 'get').mockReturnValue(full.fd)

    await expect(files.append(redact(small))).rejects.toThrow('ENOSPC')
    fd.mockRestore()
    await full.close()
    await expect(files.append(redact(small))).rejects.toThrow('ENOSPC')
    expect(await collect(readExchanges(directory))).toEqual([])
    await files.close()
  })
})
