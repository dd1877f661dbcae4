import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { redacting, removing, renamingHost } from '../../../src/recording/files/change-exchange.ts'
import {
  changeRecording,
  createPartOf,
  createSame,
  mergedLines,
  type SourceLine,
  type SplitBy,
  writeParts,
} from '../../../src/recording/files/operations.ts'
import { openRecording, readExchanges } from '../../../src/recording/files/recording-files.ts'
import { readBody } from '../../../src/recording/files/read-body.ts'
import { createSelect, type Selection, sessionOf } from '../../../src/recording/files/select.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { collect, exchangeOf, type Parts, temporaryDirectory, writeRecording } from '../samples.ts'

const ALL = createSelect({})
const LONG = JSON.stringify({ note: 'patient 123-45-6789', more: 'x'.repeat(40_000) })

/** A request that began at a second and took 6 ms. */
function at(second: number, url: string, parts: Parts = {}): Parts {
  const full = url.startsWith('http') ? url : `http://api.example.com${url}`
  return { startedAt: new Date(second * 1000), url: full, ...parts }
}

async function urlsIn(directory: string): Promise<string[]> {
  const exchanges = await collect(readExchanges(directory))
  return exchanges.map(({ request }) => request.url.replace('http://api.example.com', ''))
}

describe('a selection', () => {
  it.for<[selection: Selection, numbers: number[]]>([
    [{}, [0, 1, 2, 3]],
    [{ hosts: ['*.example.com'] }, [0, 1, 2]],
    [{ hosts: ['127.0.0.1'] }, [3]],
    [{ hosts: ['127.0.0.1:9000'], methods: ['get'] }, [3]],
    [{ paths: ['/users/*'] }, [1, 2]],
    [{ paths: ['user'] }, [0, 1, 2]],
    [{ paths: ['/users'], methods: ['POST'] }, [0]],
    [{ statuses: ['4xx', '201'] }, [0, 2]],
    [{ statuses: ['400-403'] }, []],
    [{ since: new Date(2000), until: new Date(3000) }, [1, 2]],
    [{ sessions: ['Bearer a*'] }, [1]],
  ])('%j', ([selection, numbers], { expect: check }) => {
    const parts = [
      at(1, '/users', { method: 'POST', status: 201 }),
      at(2, '/users/1', { requestHeaders: [['Authorization', 'Bearer a-1']] }),
      at(3, '/users/2', { status: 404 }),
      at(4, 'http://127.0.0.1:9000/other'),
    ]
    const select = createSelect(selection)
    check(parts.flatMap((each, index) => (select(exchangeOf(each)) ? [index] : []))).toEqual(numbers)
  })
})

describe('a change of a recording', () => {
  it('takes out what is meant, with the bodies that nothing names then', async () => {
    const directory = await writeRecording(
      await temporaryDirectory(),
      at(1, '/health', { responseBody: LONG }),
      at(2, '/users'),
    )
    const remove = removing(createSelect({ paths: ['/health'] }))
    const dry = await changeRecording(directory, remove, { isDryRun: true })
    expect([dry, await urlsIn(directory)]).toEqual([
      { kept: 1, changed: 0, removed: 1, removedBodies: 0 },
      ['/health', '/users'],
    ])
    expect(await changeRecording(directory, remove)).toMatchObject({ removed: 1, removedBodies: 1 })
    expect([await urlsIn(directory), await readdir(join(directory, 'bodies'))]).toEqual([['/users'], []])
  })

  it('redacts by new rules, in files of bodies too', async () => {
    const json: Parts = { responseHeaders: [['Content-Type', 'application/json']], responseBody: LONG }
    const directory = await writeRecording(await temporaryDirectory(), at(1, '/a', json), at(2, '/b'))
    const redactor = createRedactor({ patterns: [String.raw`\d{3}-\d{2}-\d{4}`] })
    expect(await changeRecording(directory, redacting(directory, redactor, ALL))).toMatchObject({
      changed: 1,
    })
    const [exchange] = await collect(readExchanges(directory))
    const body = exchange && (await readBody(directory, exchange.response.content))
    expect([body?.toString().slice(0, 30), body?.length]).toEqual([
      '{"note":"patient [redacted]","',
      LONG.length - 1,
    ])
    const files = await readdir(join(directory, 'bodies'))
    expect(files.length).toBe(1)
    // What is hidden already stays as it is.
    expect(await changeRecording(directory, redacting(directory, redactor, ALL))).toMatchObject({
      changed: 0,
    })
  })

  it('renames a host in URLs and headers, and in bodies where that is wanted', async () => {
    const directory = await temporaryDirectory()
    const url = 'http://old.example:9000/a?next=http://old.example:9000/b'
    const text = '{"self":"http://old.example:9000/a","other":"http://old.example:90001"}'
    await writeRecording(
      directory,
      {
        url,
        requestHeaders: [['Host', 'old.example:9000']],
        responseHeaders: [['Location', 'http://old.example:9000/b']],
        responseBody: text,
      },
      { url: 'http://other.example/' },
    )
    const rename = renamingHost(directory, 'old.example:9000', 'new.example', ALL, true)
    expect(await changeRecording(directory, rename)).toMatchObject({ kept: 2, changed: 1 })
    const [first] = await collect(readExchanges(directory))
    expect(first).toMatchObject({
      request: { url: url.replace('old.example:9000', 'new.example'), headers: [{ value: 'new.example' }] },
      response: {
        redirectURL: 'http://new.example/b',
        content: { text: '{"self":"http://new.example/a","other":"http://old.example:90001"}' },
      },
    })
  })

  it('is refused while a process writes the recording, and after one that was killed it is not', async () => {
    const directory = await temporaryDirectory()
    const recording = await openRecording(directory)
    await expect(changeRecording(directory, removing(ALL))).rejects.toThrow(
      `written by process ${process.pid}`,
    )
    await recording.close()
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    await writeFile(join(directory, `.writer-${child.pid}-1`), '')
    expect(await changeRecording(directory, removing(ALL))).toMatchObject({ kept: 0 })
    expect(await readdir(directory)).toEqual(['bodies', 'exchanges.ndjson'])
  })

  it('is done by one of several that begin at the same time at most, and leaves no mark', async () => {
    const recording = await writeRecording(await temporaryDirectory(), at(0, '/a'), at(1, '/b'))
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const both = Promise.allSettled([
      changeRecording(recording, async (exchange) => {
        await begun
        return removing(createSelect({ paths: ['/a'] }))(exchange)
      }),
      changeRecording(recording, removing(createSelect({ paths: ['/b'] }))).finally(() => begin()),
    ])
    const refused = (await both).filter((each) => each.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(String(reason)).toContain('is being changed by process')
    await changeRecording(recording, removing(createSelect({ paths: ['/a'] })))
    expect(await urlsIn(recording)).not.toContain('/a')
    expect(await readdir(recording)).toEqual(['bodies', 'exchanges.ndjson'])
  })

  it('lets no gateway open the recording meanwhile', async () => {
    const recording = await writeRecording(await temporaryDirectory(), at(0, '/a'))
    const opened: Promise<unknown>[] = []
    const { kept } = await changeRecording(recording, async (exchange) => {
      opened.push(openRecording(recording).catch((error: Error) => error.message))
      await opened.at(-1)
      return exchange
    })
    expect(kept).toBe(1)
    expect(opened).not.toHaveLength(0)
    for (const refusal of await Promise.all(opened))
      expect(refusal).toContain(`is being changed by process ${process.pid}`)
    await (await openRecording(recording)).close()
    expect(await readdir(recording)).toEqual(['bodies', 'exchanges.ndjson'])
  })

  it('says in words what the system refuses', async () => {
    const output = join(await temporaryDirectory(), 'there')
    const refuse = async function* (): AsyncGenerator<SourceLine> {
      const error = new Error('ENOSPC: no space left on device, write')
      yield await Promise.reject<SourceLine>(Object.assign(error, { syscall: 'write' }))
    }
    await expect(writeParts(output, refuse(), () => '')).rejects.toThrow(
      /^Cannot write .*there, so all stays as it was: ENOSPC: no space left on device, write$/,
    )
  })

  it('leaves the old recording whole where it fails, or somebody wrote to it meanwhile', async () => {
    const directory = await writeRecording(await temporaryDirectory(), at(1, '/a'), at(2, '/b'))
    const file = join(directory, 'exchanges.ndjson')
    const before = await readFile(file, 'utf8')
    const fail = async (): Promise<never> => Promise.reject(new Error('at the second'))
    let count = 0
    await expect(
      changeRecording(directory, (each) => (count++ === 0 ? undefined : (fail() ?? each))),
    ).rejects.toThrow('second')
    expect([await readFile(file, 'utf8'), await readdir(directory)]).toEqual([
      before,
      ['bodies', 'exchanges.ndjson'],
    ])
    const append = changeRecording(directory, async (each) => {
      if (count++ === 2) await writeFile(file, before + before)
      return each
    })
    await expect(append).rejects.toThrow('written to meanwhile')
    expect(await readFile(file, 'utf8')).toBe(before + before)
  })
})

describe('recordings', () => {
  it('are merged in the order in which exchanges ended, without duplicates and with their bodies', async () => {
    const folder = await temporaryDirectory()
    const [a, b, both] = ['a', 'b', 'both'].map((name) => join(folder, name)) as [string, string, string]
    await writeRecording(a, at(1, '/1', { responseBody: LONG }), at(4, '/4'))
    await writeRecording(b, at(2, '/2'), at(4, '/4'), at(5, '/5'))
    const lines = async function* (): AsyncGenerator<SourceLine> {
      const isSame = createSame()
      for await (const line of mergedLines([a, b], ALL)) if (!isSame(line)) yield line
    }
    expect(await writeParts(both, lines(), () => '', { isDryRun: true })).toEqual(new Map([['', 4]]))
    expect(await readdir(folder)).toEqual(['a', 'b'])
    await writeParts(both, lines(), () => '')
    const [first] = await collect(readExchanges(both))
    expect([await urlsIn(both), first && (await readBody(both, first.response.content))?.length]).toEqual([
      ['/1', '/2', '/4', '/5'],
      LONG.length,
    ])
    await expect(writeParts(both, lines(), () => '')).rejects.toThrow('is there already')
    expect((await readdir(folder)).toSorted()).toEqual(['a', 'b', 'both'])
  })

  it.for<[by: SplitBy, parts: Record<string, string[]>]>([
    ['host', { 'api.example.com': ['/1', '/2', '/70'], other_81: ['http://other:81/3'] }],
    ['session', { 'no-session': ['/1', 'http://other:81/3'], 'session-1': ['/2'], 'session-2': ['/70'] }],
    ['gap', { 'part-001': ['/1', '/2', 'http://other:81/3'], 'part-002': ['/70'] }],
  ])('are split by %s', async ([by, parts]) => {
    const folder = await temporaryDirectory()
    const [from, output] = [join(folder, 'from'), join(folder, 'parts')]
    await writeRecording(
      from,
      at(1, '/1'),
      at(2, '/2', { requestHeaders: [['X-Sim-Session', 'one']] }),
      at(3, 'http://other:81/3'),
      at(70, '/70', { requestHeaders: [['X-Sim-Session', 'two']] }),
    )
    const counts = await writeParts(output, mergedLines([from], ALL), createPartOf(by, 60_000, sessionOf))
    const found = await Promise.all(
      [...counts.keys()].map(async (name) => [name, await urlsIn(join(output, name))]),
    )
    expect(Object.fromEntries(found)).toEqual(parts)
  })
})
