import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchFrom, openFolder } from './kit.ts'
import { ROOT, startSim } from './sim-process.ts'

afterEach(() => void vi.unstubAllEnvs())

const folder = openFolder()
const app = folder.write(
  'app.mjs',
  `import { SimAPI } from '${join(ROOT, 'dist/src/index.js')}'
export const api = new SimAPI({ seed: 1 })
api.get('/users', { output: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } })
`,
)

/** What `sim` loads as modules of either kind while it starts and answers some paths. */
async function loadedBy(args: readonly string[], paths: readonly string[] = []): Promise<string> {
  const list = join(folder.path, `${expect.getState().currentTestName?.replaceAll(/\W/g, '-')}.txt`)
  const hooks = `import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  appendFileSync(${JSON.stringify(list)}, url + '\\n')
  return next(url, context)
}`
  const probe = folder.write(
    'probe.cjs',
    `const Module = require('node:module')
// The thread that the hooks run in is started with the same options.
if (require('node:worker_threads').isMainThread) {
  Module.register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))
  process.on('exit', () =>
    require('node:fs').appendFileSync(${JSON.stringify(list)}, Object.keys(Module._cache).join('\\n')))
}
`,
  )
  vi.stubEnv('NODE_OPTIONS', `--require ${probe}`)
  const sim = await startSim(args)
  for (const path of paths) expect((await fetchFrom(sim.url + path)).status).toBe(200)
  await sim.stop()
  return readFileSync(list, 'utf8')
}

const SELDOM = [
  ...['undici', 'ws', 'fast-xml-parser', 'jiti', 'chokidar', 'prom-client', 'yaml', 'randexp'],
  ...['negotiator', '@fastify/busboy', '@faker-js/faker', '@peculiar/x509'],
]
  .map((name) => `/node_modules/${name}/`)
  .concat('/node_modules/ajv/dist/2020.js')
const OWN = [
  'control/control',
  'modes/file-route',
  'modes/replay',
  'modes/with-known-answers',
  'openapi/contract/coverage-files',
  'recording/drift/compare-observed',
  'recording/capture/recorder',
]
const isIn = (loaded: string) => (part: string) => loaded.includes(part)

describe('the start of a command', () => {
  it('loads nothing that only some requests need', async () => {
    const loaded = await loadedBy(['run', app])
    expect(loaded).toContain('/node_modules/fastify/')
    expect(loaded).toContain('/dist/src/gateway.js')
    expect([...SELDOM, ...OWN.map((file) => `/dist/src/${file}.js`)].filter(isIn(loaded))).toEqual([])
  })

  it('leaves what is needed to the first request that needs it', async () => {
    const loaded = await loadedBy(['run', app], ['/users', '/__sim/health'])
    const wanted = ['/node_modules/ajv/dist/2020.js', '/dist/src/control/control.js']
    expect(wanted.filter(isIn(loaded))).toEqual(wanted)
  })

  it('loads what reaches upstreams where one is named', async () => {
    const loaded = await loadedBy(['proxy', '--upstream', 'http://127.0.0.1:9'])
    expect(loaded).toContain('/node_modules/undici/')
    expect(loaded).not.toContain('/node_modules/ajv/dist/2020.js')
  })
})
