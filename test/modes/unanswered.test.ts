import { get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { fetchFrom, openFolder, startGateway, startUpstream } from '../flow/kit.ts'

/** Requests something, and leaves when it has waited so long for an answer. */
const leaveAfter = async (ms: number, url: string, options: RequestInit = {}): Promise<unknown> => {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(ms) })
    await response.text()
    return response.status
  } catch (error) {
    return (error as Error).name
  }
}

/** Breaks the connection when it has waited so long, of which the gateway learns at once. */
async function resetAfter(ms: number, url: string): Promise<void> {
  const request = get(url).on('error', () => undefined)
  await setTimeout(ms)
  request.socket?.resetAndDestroy()
}

it('has a client wait for what it waited for in vain while it was recorded', async () => {
  const record = openFolder().path
  const polls: string[] = []
  const { url: upstream } = await startUpstream((request, response) => {
    const path = String(request.url)
    polls.push(path)
    if (path === '/poll' && polls.length < 3) response.end('news')
    else if (path === '/head') response.flushHeaders()
  })
  const recording = await startGateway({ upstream, modes: { mode: 'record' }, record })
  for (const news of ['news', 'news']) expect((await fetchFrom(`${recording.url}/poll`)).text).toBe(news)
  const sent = { method: 'POST', body: '{}' }
  expect(
    await Promise.all([
      leaveAfter(1_200, `${recording.url}/poll`),
      leaveAfter(1_200, `${recording.url}/poll`, sent),
      resetAfter(1_200, `${recording.url}/head`),
      leaveAfter(100, `${recording.url}/slow`),
    ]),
  ).toEqual(['TimeoutError', 'TimeoutError', undefined, 'TimeoutError'])
  await recording.app.close()

  const replay = await startGateway({ modes: { mode: 'replay' }, recording: record })
  for (const expected of [200, 200, 'TimeoutError', 'TimeoutError'])
    expect(await leaveAfter(300, `${replay.url}/poll`)).toBe(expected)
  expect(await leaveAfter(300, `${replay.url}/poll`, sent)).toBe('TimeoutError')
  expect(await leaveAfter(300, `${replay.url}/head`)).toBe('TimeoutError')
  expect((await fetch(`${replay.url}/head`)).status).toBe(200)
  expect(await leaveAfter(300, `${replay.url}/slow`)).toBe(404)

  // With an upstream, that may answer now.
  const spy = await startGateway({ upstream, modes: { mode: 'spy' }, recording: record })
  for (const at of [0, 1]) expect([at, (await fetchFrom(`${spy.url}/poll`)).status]).toEqual([at, 200])
  expect(polls.length).toBe(6)
  void fetch(`${spy.url}/poll`).catch(() => undefined)
  await expect.poll(() => polls.length).toBe(7)
})
