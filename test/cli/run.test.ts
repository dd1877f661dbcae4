import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { serveHere, simHere } from './run-in-process.ts'

const index = resolve(import.meta.dirname, '../../dist/src/index.js')

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    'app.mjs': `import { SimAPI } from ${JSON.stringify(index)}
export const api = new SimAPI().get('/n', { output: { type: 'integer' } })\n`,
    'web.mjs': `import { SimAPI } from ${JSON.stringify(index)}
export const app = new SimAPI({ seed: 3 }).get('/n', { output: { type: 'integer' } }).asWebApp()\n`,
  })
})
afterAll(() => folder[Symbol.dispose]())

describe('sim run', () => {
  it('serves declared routes, and prints address and seed', async () => {
    const first = await serveHere('run', `${folder.path}/app.mjs`)
    expect(first.stdout).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n$/)
    const [, seed = ''] = /^seed (\d+) \(repeat this run with --seed \1\)\n$/.exec(first.stderr) ?? []
    const number = await (await fetch(`${first.url}/n`)).text()
    expect(await first.stop()).toBe(0)

    const second = await serveHere('run', `${folder.path}/app.mjs`, '--seed', seed)
    expect(await (await fetch(`${second.url}/n`)).text()).toBe(number)
    expect(await second.stop()).toBe(0)
  })

  it('serves a web app as it is', async () => {
    const served = await serveHere('run', `${folder.path}/web.mjs`)
    expect((await fetch(`${served.url}/n`)).status).toBe(200)
    expect(served.stderr).toBe('')
    expect(await served.stop()).toBe(0)
  })

  it.for([
    [['--port', '65536'], /^--port must be a whole number from 0 to 65535, not 65536\n/],
    [['--port', '1.5'], /^--port must be a whole number/],
    [['--seed', 'x'], /^--seed must be a whole number/],
  ] as const)('refuses %j', async ([args, message]) => {
    const { code, stderr } = await simHere('run', 'app.mjs', ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})
