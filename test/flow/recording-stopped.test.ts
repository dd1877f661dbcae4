import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { fetchFrom, openFolder, post, startGateway, startUpstream } from './kit.ts'

interface Health {
  readonly status: string
  readonly reasons?: readonly string[]
}

const NOTHING = (): void => undefined
const LEVELS = {
  fatal: NOTHING,
  error: NOTHING,
  warn: NOTHING,
  info: NOTHING,
  debug: NOTHING,
  trace: NOTHING,
}
const LOGGER = { ...LEVELS, level: 'warn', child: () => LOGGER }

async function startRecording(record: string) {
  const { url: upstream } = await startUpstream((_request, response) => response.end('{"ok":true}'))
  const options = { upstream, modes: { mode: 'record' as const }, record, requireRecording: true }
  const { url } = await startGateway({ ...options, logger: LOGGER as never })
  const ask = async (path: string): Promise<{ status: number; body: Health }> => {
    const { status, text } = await fetchFrom(`${url}/__sim/${path}`)
    return { status, body: JSON.parse(text) as Health }
  }
  return { url, ask, resume: () => post(`${url}/__sim/recordings/resume`, {}) }
}

it('shows at once that the disk is full, and goes on when there is space again', async () => {
  const record = openFolder().path
  const file = join(record, 'exchanges.ndjson')
  symlinkSync('/dev/full', file)
  const { url, ask, resume } = await startRecording(record)
  expect([(await ask('health')).body.status, (await ask('ready')).status]).toEqual(['ok', 200])

  expect((await fetchFrom(`${url}/lost`)).status).toBe(200)
  await vi.waitFor(async () => expect((await ask('health')).body.status).toBe('degraded'))
  const [health, ready] = [await ask('health'), await ask('ready')]
  const recordings = await fetchFrom(`${url}/__sim/recordings`)
  expect([health.status, health.body.reasons?.[0]]).toEqual([200, expect.stringContaining('ENOSPC')])
  expect(ready).toEqual({ status: 503, body: { status: 'not ready', reasons: health.body.reasons } })
  expect(recordings.text).toContain('"stopped":"ENOSPC')
  expect((await fetchFrom(`${url}/lost`)).status).toBe(200)
  expect((await fetchFrom(`${url}/__sim/metrics`)).text).toMatch(
    /^sim_recorder_stopped 1$[^]*^sim_recorder_dropped_total 2$/m,
  )

  rmSync(file)
  expect((await resume()).status).toBe(200)
  expect((await fetchFrom(`${url}/kept`)).status).toBe(200)
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('/kept'))
  expect(
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { request: { url: string } }).request.url),
  ).toEqual([expect.stringMatching(/\/kept$/)])
  expect([(await ask('health')).body.status, (await ask('ready')).status]).toEqual(['ok', 200])
})

it('says so when its file was removed', async () => {
  const record = openFolder().path
  const { url, ask, resume } = await startRecording(record)
  rmSync(record, { recursive: true })
  await fetchFrom(`${url}/lost`)
  const metrics = async (): Promise<string> => (await fetchFrom(`${url}/__sim/metrics`)).text
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^sim_recorder_stopped 1$/m))
  expect((await ask('ready')).body.reasons?.[0]).toContain('its file was removed')
  const resumed = await Promise.all([resume(), resume(), resume()])
  expect(resumed.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(readdirSync(record).filter((name) => name.startsWith('.writer'))).toHaveLength(1)
  expect((await ask('ready')).status).toBe(200)
})
