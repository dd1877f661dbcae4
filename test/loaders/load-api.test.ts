import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { joinApps } from '../../src/loaders/join-apps.ts'
import { loadApi } from '../../src/loaders/load-api.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'

const shared = globalThis as { simTest?: object }

const SEVEN = { options: { seed: 7 } }

let folder: TemporaryFolder
beforeAll(() => {
  shared.simTest = { api: (path: string) => new SimAPI({ seed: 1 }).get(path), web: () => Fastify() }
  folder = temporaryFolder({
    'a.mjs': "export const api = globalThis.simTest.api('/a')",
    'b.mjs': "export const api = globalThis.simTest.api('/b')",
    'web.mjs': 'export const app = globalThis.simTest.web()',
  })
})
afterAll(() => {
  folder[Symbol.dispose]()
  delete shared.simTest
})

describe('an app of declared routes', () => {
  it('is loaded', async () => {
    const { api } = await loadApi('a.mjs', 'checked', folder.path)
    expect(api.routes.map(({ key }) => key)).toEqual(['GET /a'])
  })

  it('is not a web app', async () => {
    await expect(loadApi('web.mjs', 'checked', folder.path)).rejects.toThrow(
      "'web.mjs' is a web app; only the declared routes of a SimAPI can be checked",
    )
  })
})

describe('joined apps', () => {
  it('answer all their routes under one seed', async () => {
    const { engine } = (await joinApps([`${folder.path}/a.mjs`, `${folder.path}/b.mjs`], SEVEN)).options
    expect(engine.seed).toBe(7)
    expect(engine.routes.map(({ key }) => key)).toEqual(['GET /a', 'GET /b'])
  })

  it('keep the seed of the first of them where none is given', async () => {
    const loaded = await loadApi(`${folder.path}/a.mjs`, 'joined')
    const { engine } = (await joinApps([`${folder.path}/a.mjs`, `${folder.path}/b.mjs`])).options
    expect(engine.seed).toBe(loaded.api.seed)
  })

  it('are none of them web apps', async () => {
    await expect(joinApps([`${folder.path}/web.mjs`], SEVEN)).rejects.toThrow('can be joined')
  })
})
