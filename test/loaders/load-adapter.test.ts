import { resolve } from 'node:path'
import { createAdapter } from 'sim-gateway/adapter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAdapters } from '../../src/loaders/load-adapter.ts'
import { TargetInvalid } from '../../src/errors.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'

const notes = JSON.stringify(resolve(import.meta.dirname, '../adapter/notes-adapter.ts'))
let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    'notes.ts': `import { notes } from ${notes}
export const configs: unknown[] = []
export const adapter = { ...notes, createState(source: any) {
  ;(globalThis as any).adapterConfigs = [...((globalThis as any).adapterConfigs ?? []), source.config]
  return notes.createState(source)
} }\n`,
    'broken.ts': 'throw new Error("it does not work")\n',
    'other.ts': 'export const adapter = { name: "x" }\n',
    'data/mine.yaml': 'version: 1\nnotes: [{ id: z, text: last }]\n',
  })
})
afterAll(() => folder[Symbol.dispose]())

const load = (entry: object, seed?: number) =>
  loadAdapters([{ use: './notes.ts', ...entry }], `${folder.path}/sim.yaml`, seed)

describe('the adapters of a config file', () => {
  it('are loaded with their configuration, fixtures from beside the file', async () => {
    const tokens = [{ token: 'one' }]
    const entry = {
      prefix: '/n',
      fixture: 'data/mine.yaml',
      auth: 'strict',
      tokens,
      options: { colour: 'red' },
    }
    const [mount] = await load(entry, 9)
    expect(mount).toMatchObject({ prefix: '/n', adapter: { name: 'sim-notes', bodyLimit: 1024 } })
    const [config] = (globalThis as unknown as { adapterConfigs: unknown[] }).adapterConfigs.slice(-1)
    expect(config).toEqual({
      colour: 'red',
      seed: 9,
      auth: { mode: 'strict', tokens },
      fixture: `${folder.path}/data/mine.yaml`,
    })
    const headers = { authorization: 'Bearer one' }
    const answer = await mount?.adapter.handle({
      method: 'GET',
      url: '/v1/notes/z',
      headers,
      body: Buffer.alloc(0),
    })
    expect(answer?.status).toBe(200)
  })

  it('keep a seed of their own', async () => {
    const id = async (mounts: ReturnType<typeof load>) => {
      const [mount] = await mounts
      const answer = await mount?.adapter.handle({
        method: 'GET',
        url: '/',
        headers: {},
        body: Buffer.alloc(0),
      })
      return answer?.headers['x-request-id']
    }
    const { fetch } = createAdapter((await import('../adapter/notes-adapter.ts')).notes, { seed: 3 })
    expect(await id(load({ seed: 3 }, 9))).toBe((await fetch('/')).headers.get('x-request-id'))
    expect(await id(load({}, 9))).not.toBe(await id(load({ seed: 3 })))
  })

  it.for([
    ['./nowhere.ts', "Module './nowhere.ts' not found"],
    ['./broken.ts', /^Module '.\/broken.ts' could not be loaded: \S+broken.ts:\d+:\d+: it does not work$/],
    ['./other.ts', "'./other.ts' is not an adapter"],
    ['sim-nowhere', "The adapter 'sim-nowhere' is not installed where"],
  ])('cannot be %s', async ([use, message]) => {
    await expect(load({ use })).rejects.toThrow(TargetInvalid)
    await expect(load({ use })).rejects.toThrow(message)
  })
})
