import { describe, expect, it } from 'vitest'
import { missText, type MissReport } from '../../src/recording/replay/misses.ts'
import { imageBytes, temporaryDirectory, writeRecording, type Parts } from '../recording/samples.ts'
import { ask, startReplay } from './replay-kit.ts'

const HOST = 'http://api.test'
const FORM = [['content-type', 'application/x-www-form-urlencoded']] as const
const JSON_TYPE = [['content-type', 'application/json']] as const
const UUIDS = ['0b0e5e3c-7a1c-4b52-9a63-6a1d3f6f2f10', 'b7f0a1de-11aa-4f0e-8c55-0c9f1d2e3a4b']

const RECORDED: readonly Parts[] = [
  { url: `${HOST}/list?q=tea&cb=17`, responseBody: 'list' },
  {
    method: 'POST',
    url: `${HOST}/range`,
    requestHeaders: FORM,
    requestBody: 'query=up&start=1763790000.5&end=1763793600',
    responseBody: 'range',
  },
  {
    method: 'POST',
    url: `${HOST}/items`,
    requestHeaders: JSON_TYPE,
    requestBody: `{"items":[{"key":"${UUIDS[0]}","n":1}]}`,
    responseBody: 'items',
  },
  { url: `${HOST}/runs/${UUIDS[0]}/log`, responseBody: 'log' },
  {
    method: 'POST',
    url: `${HOST}/items/7`,
    requestHeaders: JSON_TYPE,
    requestBody: '{"name":"ann"}',
    responseBody: 'seven',
  },
]

describe('the report on misses', () => {
  it('names what changed, and options with which it is found', async () => {
    const recording = await writeRecording(await temporaryDirectory(), ...RECORDED)
    const reports: MissReport[] = []
    const replaying = await startReplay(recording, {}, { onMisses: (report) => void reports.push(report) })
    const { url, app } = replaying
    const post = (path: string, body: string, type: string): ReturnType<typeof ask> =>
      ask(url, path, { method: 'POST', body, headers: { 'content-type': type } })
    for (const cb of [18, 18, 19]) await ask(url, `/list?q=tea&cb=${cb}`)
    await post('/range', 'query=up&start=1763890000.5&end=1763893600', FORM[0][1])
    await post('/items', `{"items":[{"key":"${UUIDS[1]}","n":1}]}`, JSON_TYPE[0][1])
    await ask(url, `/runs/${UUIDS[1]}/log`)
    // What differs here does not look as if it did so from run to run.
    await post('/items/7', '{"name":"ben"}', JSON_TYPE[0][1])
    await ask(url, '/list?q=coffee&cb=18')
    await ask(url, '/nowhere')

    const report = JSON.parse((await ask(url, '/__sim/misses')).text) as MissReport & { flags: string }
    expect(report).toMatchObject({
      missed: 9,
      found: 6,
      options: { ignore_query: ['cb'], ignore_body: ['/end', '/items/*/key', '/start'] },
      others: ['POST /items/7', 'GET /list?q=coffee&cb=18', 'GET /nowhere'],
    })
    expect(report.changed.map(({ where, requests }) => [where, requests])).toEqual([
      ['query cb', 3],
      ['body /start', 1],
      ['body /end', 1],
      ['body /items/*/key', 1],
      ['path', 1],
    ])
    expect(report.flags).toMatch(
      /^--ignore-query cb --ignore-body \/end '\/items\/\*\/key' \/start --ignore-pattern '/,
    )
    await app.close()
    expect(missText(reports[0] as MissReport)).toContain(
      `With these options, 6 of 9 are found; this was checked:\n  ${report.flags}\n`,
    )

    const again = await startReplay(recording, reports[0]?.options)
    expect(await again.find('/list?q=tea&cb=99')).toBe('list')
    expect(await again.find(`/runs/${UUIDS[1]}/log`)).toBe('log')
    expect(JSON.parse((await ask(again.url, '/__sim/misses')).text)).toMatchObject({ missed: 0, flags: '' })
  })

  it('proposes to ignore texts whose words come in another order', async () => {
    const parts = ['(log first agent svn)', '(log second agent svn)'].map((requestBody, at) => ({
      ...{
        method: 'POST',
        url: `${HOST}/commits`,
        requestHeaders: [['content-type', 'text/plain']] as const,
      },
      ...{ requestBody, responseBody: `commit ${at}` },
    }))
    const recording = await writeRecording(await temporaryDirectory(), ...parts)
    const send = (url: string, body: string): ReturnType<typeof ask> =>
      ask(url, '/commits', { method: 'POST', body, headers: { 'content-type': 'text/plain' } })
    const { url } = await startReplay(recording)
    await send(url, '(agent svn log first)')
    await send(url, '(agent svn log third)')
    expect(JSON.parse((await ask(url, '/__sim/misses')).text)).toMatchObject({
      missed: 2,
      changed: [{ where: 'body, the order of its words', requests: 1 }],
      flags: "--ignore-body ''",
    })
    const again = await startReplay(recording, { ignoreBody: [''] })
    expect((await send(again.url, '(agent svn log first)')).text).toBe('commit 0')
  })

  it('proposes to ignore a parameter of which each recorded request had another drawn value', async () => {
    const recorded = (name: string, values: readonly string[]): Parts[] =>
      values.map((value, at) => ({ url: `${HOST}/${name}?${name}=${value}`, responseBody: `${name} ${at}` }))
    const recording = await writeRecording(
      await temporaryDirectory(),
      ...recorded('t', ['do85g0eu', 'do8gifyo', 'dpjabcde', 'do93gbyf']),
      ...recorded('sku', ['ab85g0eu', 'cd8gifyo', 'efo5gd4x', 'gh93gbyf']),
      ...recorded('q', ['apples', 'coffee', 'sugars', 'cheese']),
    )
    const { url } = await startReplay(recording, { pick: 'sequence' })
    for (const path of ['t?t=dqk65bpx', 't?t=all+of+it', 'sku?sku=xy85g0eu', 'q?q=butter'])
      await ask(url, `/${path}`)
    expect(JSON.parse((await ask(url, '/__sim/misses')).text)).toMatchObject({
      missed: 4,
      changed: [{ where: 'query t', requests: 1 }],
      flags: '--ignore-query t',
    })
    // By itself, a replay takes it for such a one.
    const causal = await startReplay(recording)
    expect((await ask(causal.url, '/t?t=dqk65bpx')).text).toBe('t 0')
    expect((await ask(causal.url, '/t?t=all+of+it')).status).toBe(404)
  })

  it('says nothing of parameters that are the time of the request, which a replay takes for such', async () => {
    const startedAt = new Date('2026-03-01T12:00:00.000Z')
    const recording = await writeRecording(
      await temporaryDirectory(),
      { startedAt, url: `${HOST}/settings?_=${Number(startedAt)}`, responseBody: 'settings' },
      { startedAt, url: `${HOST}/query?q=up&time=${(Number(startedAt) - 800) / 1000}`, responseBody: 'up' },
      { startedAt, url: `${HOST}/main?rid=0&${Number(startedAt).toString(36)}`, responseBody: 'main' },
      { startedAt, url: `${HOST}/login.ejs?0.32892521584718715`, responseBody: 'login' },
      { startedAt, url: `${HOST}/at?time=1763790000`, responseBody: 'then' },
      {
        ...{ method: 'PUT', url: `${HOST}/tiddlers/tea`, requestHeaders: JSON_TYPE },
        ...{ requestBody: '{"created":"20260301120000123"}', responseBody: 'tea' },
      },
    )
    const { url } = await startReplay(recording)
    const now = Date.now() + 7
    for (const [path, text] of [
      [`/settings?_=${now}`, 'settings'],
      [`/settings?_=${now + 12}`, 'settings'],
      [`/query?q=up&time=${now / 1000}`, 'up'],
      [`/main?rid=0&${now.toString(36)}`, 'main'],
      ['/login.ejs?0.51623344104213', 'login'],
      ['/at?time=1763790000', 'then'],
    ] as const)
      expect((await ask(url, path)).text).toBe(text)
    const put = {
      method: 'PUT',
      body: '{"created":"20261128062909411"}',
      headers: { 'content-type': 'application/json' },
    } as const
    expect((await ask(url, '/tiddlers/tea', put)).text).toBe('tea')
    expect((await ask(url, `/query?q=down&time=${now / 1000}`)).status).toBe(404)
    for (const other of ['/query?q=up&time=1763790000', '/main?rid=0&mi5mn8yv', '/login.ejs?0.5'])
      expect([other, (await ask(url, other)).status]).toEqual([other, 404])
  })

  it('proposes to ignore bodies of bytes, of which a replay takes uploads by itself', async () => {
    const requestHeaders = [['content-type', 'image/png']] as const
    const upload = { requestHeaders, requestBody: imageBytes(40) }
    const recording = await writeRecording(
      await temporaryDirectory(),
      { ...upload, method: 'PUT', url: `${HOST}/avatar`, responseBody: 'kept' },
      { ...upload, method: 'POST', url: `${HOST}/scan`, requestBody: imageBytes(41), responseBody: 'a cat' },
    )
    const { url } = await startReplay(recording)
    const send = async (method: 'PUT' | 'POST', path: string): Promise<string> => {
      const body = imageBytes(50).fill(7, 9)
      const headers = { 'content-type': 'image/png' }
      const { status, text } = await ask(url, path, { method, body, headers })
      return status === 200 ? text : String(status)
    }
    expect([await send('PUT', '/avatar'), await send('POST', '/scan')]).toEqual(['kept', '404'])
    expect(JSON.parse((await ask(url, '/__sim/misses')).text)).toMatchObject({
      missed: 1,
      changed: [{ where: 'body', recorded: '41 bytes', requested: '50 bytes', requests: 1 }],
      flags: "--ignore-body ''",
    })
  })

  it('is forgotten on request', async () => {
    const { url } = await startReplay(await writeRecording(await temporaryDirectory(), ...RECORDED))
    await ask(url, '/nowhere')
    expect(JSON.parse((await ask(url, '/__sim/misses', { method: 'DELETE' })).text)).toMatchObject({
      missed: 0,
    })
  })
})
