import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Parts, temporaryDirectory, writeRecording } from '../../recording/samples.ts'
import { serveHere, simHere, type Printed } from '../run-in-process.ts'

const JSON_TYPE = [['content-type', 'application/json']] as const

const user = (second: number, id: number, more: object = {}): Parts => ({
  ...{ startedAt: new Date(second * 1000), url: `http://api.example.com/users/${id}` },
  ...{ responseHeaders: JSON_TYPE, responseBody: JSON.stringify({ id, name: `User ${id}`, ...more }) },
})

const LONG = { note: 'x'.repeat(40_000) }

/** What two gateways recorded, and one recording of both. */
async function record(): Promise<{
  readonly folder: string
  readonly merged: string
  readonly printed: Printed
}> {
  const root = await temporaryDirectory()
  const [folder, merged] = [join(root, 'staging'), join(root, 'merged')]
  await writeRecording(join(folder, 'gw-a'), user(1, 1), user(4, 4, LONG))
  await writeRecording(join(folder, 'gw-b'), user(3, 3), user(2, 2, LONG))
  return { folder, merged, printed: await simHere('recordings', 'merge', folder, '-o', merged) }
}

describe('a folder with a recording of each gateway', () => {
  it('is merged into one recording, by when exchanges began', async () => {
    const { folder, merged, printed } = await record()
    expect(printed).toEqual({ code: 0, stdout: `Wrote 4 exchanges to ${merged}\n`, stderr: '' })
    const lines = readFileSync(join(merged, 'exchanges.ndjson'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { request: { url: string } }).request.url)).toEqual(
      [1, 2, 3, 4].map((id) => `http://api.example.com/users/${id}`),
    )
    const again = await simHere('recordings', 'merge', folder, '-o', merged)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') as string })
  })

  it.for<readonly [command: readonly string[], parts?: (text: string, recording: string) => string]>([
    [['show', '.', '--json']],
    [['show', '.', '4']],
    [['export', '.', '--format', 'har']],
    [['audit', '.']],
    [['send', '.', '--to', 'http://127.0.0.1:1', '--dry-run']],
    [['split', '.', '--by', 'host', '-o', 'never', '--dry-run']],
  ])('is read by %j as what is merged', async ([command]) => {
    const { folder, merged } = await record()
    const run = async (recording: string): Promise<Printed> => {
      const args = command.map((each) => (each === '.' ? recording : each))
      const { stdout, ...rest } = await simHere('recordings', ...args)
      return { ...rest, stdout: stdout.replaceAll(recording, 'recording') }
    }
    const read = await run(folder)
    expect(read).toEqual(await run(merged))
    expect(read.code).toBe(0)
    expect(read.stdout).not.toBe('')
  })

  it('is compared, listed, and made routes of', async () => {
    const { folder, merged } = await record()
    for (const [one, other] of [
      [folder, merged],
      [merged, folder],
    ] as const) {
      const diff = await simHere('recordings', 'diff', one, '--against', other)
      expect(diff).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('4 exchanges, no drift') as string,
      })
    }
    const listed = await simHere('recordings', 'list', join(folder, '..'), '--json')
    const [first, second] = JSON.parse(listed.stdout) as Record<string, unknown>[]
    const { directory, bytes, gateways, ...same } = second ?? {}
    expect([directory, gateways, { ...same, bytes }]).toEqual([
      folder,
      ['gw-a', 'gw-b'],
      Object.fromEntries(Object.entries(first ?? {}).filter(([name]) => name !== 'directory')),
    ])
    const routes = await simHere('fixtures', 'from', folder, '-o', join(folder, '../routes'))
    expect(routes).toMatchObject({ code: 0, stdout: expect.stringContaining('from 4 exchanges') as string })
  })

  it('is replayed, with the bodies of each', async () => {
    const { folder } = await record()
    const gateway = await serveHere('proxy', '--mode', 'replay', '--recording', folder)
    try {
      const found = await Promise.all(
        [1, 2, 3, 4].map(async (id) => {
          const response = await fetch(`${gateway.url}/users/${id}`)
          return ((await response.json()) as { readonly name?: string }).name
        }),
      )
      expect(found).toEqual(['User 1', 'User 2', 'User 3', 'User 4'])
    } finally {
      await gateway.stop()
    }
  })

  it('is not changed', async () => {
    const { folder } = await record()
    for (const command of [
      ['prune', folder, '--max-exchanges', '1'],
      ['delete', folder, '--path', '/users'],
    ]) {
      const { code, stderr } = await simHere('recordings', ...command)
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`${folder} holds a recording of each of 2 gateways: change`),
      ])
    }
    expect(existsSync(join(folder, 'exchanges.ndjson'))).toBe(false)
  })
})
