import Fastify from 'fastify'
import { createJiti } from 'jiti'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { TargetInvalid } from '../../src/errors.ts'
import type { AppGatewayOptions } from '../../src/gateway.ts'
import { joinLoaded } from '../../src/loaders/join-apps.ts'
import { findTargetFile, isDescription, loadApi, loadTarget } from '../../src/loaders/load-target.ts'
import type { LoadOptions, Target } from '../../src/loaders/target.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'

// The loaded modules lie outside the package; this is how they get its classes.
const shared = globalThis as { simTest?: object; simLoads?: number }
const API = 'export const api = globalThis.simTest.api()\n'
const WEB = 'export const app = globalThis.simTest.web()\n'

let folder: TemporaryFolder
beforeAll(() => {
  shared.simTest = { api: () => new SimAPI({ seed: 1 }), web: () => Fastify() }
  folder = temporaryFolder({
    'one.mjs': API,
    'one.ts': API.replace('api =', 'api: object ='),
    'plain.js': `export ${API.slice(7)}`,
    'both.mjs': API + WEB,
    'alias.mjs': `${API}export { api as same }\n`,
    'web.mjs': WEB,
    'two.mjs': `${API}export const other = globalThis.simTest.api()\n`,
    'none.mjs': 'export const nothing = 1\n',
    'empty.mjs': '',
    'broken.mjs': 'throw new Error("no database")\n',
    'broken.ts': 'export const api = {\n',
    'helper.ts': 'export const helper = (): number => 1\n',
    'misnamed.ts': "import { helpr } from './helper.ts'\n  helpr()\n",
    'uninstalled.ts': "import it from 'not-installed-at-all'\nit()\n",
    'mock/api.mjs': API,
    'mock/routes.yaml': 'routes: {}\n',
    'mock/fixtures/a.json': '1',
    'notes/readme.md': '# Notes\n',
    'counting.mjs': `globalThis.simLoads++\n${API}`,
    'counting.ts': `(globalThis as any).simLoads++\n${API}`,
    'counting/package.json': '{ "type": "commonjs" }',
    'counting/index.js': 'globalThis.simLoads++\nexports.api = globalThis.simTest.api()\n',
  })
})
afterAll(() => {
  folder[Symbol.dispose]()
  delete shared.simTest
})

const load = (target: string, options = {}): Promise<Target> => loadTarget(target, folder.path, options)

describe('loading a target', () => {
  it.for(['one.mjs', 'one.ts', 'one', 'plain.js', 'one.mjs:api', 'both.mjs', 'alias.mjs', 'alias.mjs:same'])(
    'finds the app of declared routes in %s',
    async (target) => {
      const loaded = await load(target)
      expect(loaded.kind === 'api' && loaded.api.seed).toBe(1)
    },
  )

  it.for(['web.mjs', 'both.mjs:app'])('finds the web app in %s', async (target) => {
    expect((await load(target)).kind).toBe('web')
  })

  it.for([
    ['nowhere', /^Module 'nowhere' not found, looked in \//],
    ['mock', /^'mock' is a folder, and a target is a file: mock\/api\.mjs, mock\/routes\.yaml$/],
    ['mock/', /^'mock\/' is a folder, and a target is a file: mock\/api\.mjs, mock\/routes\.yaml$/],
    ['notes', /^'notes' is a folder, and a target is a file; none in it can be one$/],
    ['two.mjs', /^Multiple app candidates in 'two\.mjs': choose one of two\.mjs:api, two\.mjs:other$/],
    ['none.mjs', /^No SimAPI found in module 'none\.mjs'$/],
    ['one.mjs:missing', /^Attribute 'missing' not found in module 'one\.mjs', which exports api$/],
    ['empty.mjs:api', /which exports nothing$/],
    ['none.mjs:nothing', /^'none\.mjs:nothing' must be a SimAPI or a Fastify app$/],
    ['one.mjs:', /module and attribute must both be non-empty/],
    ['broken.mjs', /^Module 'broken\.mjs' could not be loaded: \S+broken\.mjs:\d+:\d+: no database$/],
    ['broken.ts', /^Module 'broken\.ts' could not be loaded: \S*broken\.ts:2:1: Unexpected token$/],
    ['misnamed.ts', /could not be loaded: \S*misnamed\.ts:2:3: helpr is not . function$/],
    ['uninstalled.ts', /Cannot find module 'not-installed-at-all'$/],
  ] as const)('of %s fails and says why', async ([target, message]) => {
    const loading = load(target)
    await expect(loading).rejects.toThrow(message)
    await expect(loading).rejects.toBeInstanceOf(TargetInvalid)
  })

  it.for(['counting.mjs', 'counting.ts', 'counting/index.js'])(
    'executes %s again only on demand',
    async (name) => {
      shared.simLoads = 0
      const first = await load(name, { fresh: true })
      const second = await load(name, { fresh: true })
      expect(shared.simLoads).toBe(2)
      expect(first.kind === 'api' && second.kind === 'api' && first.api !== second.api).toBe(true)

      shared.simLoads = 0
      await load(name)
      await load(name)
      expect(shared.simLoads).toBeLessThan(2)
    },
  )

  it('does not mind what another loader kept of the module', async () => {
    folder.write('node_modules/legacy/index.js', 'module.exports = () => globalThis.simTest.api()\n')
    const file = folder.write('legacy.ts', "import make from 'legacy'\nexport const api: object = make()\n")
    await createJiti(import.meta.url).import(file)
    expect((await load('legacy.ts', { fresh: true })).kind).toBe('api')
  })

  it('gives the file a target lies in', () => {
    expect(findTargetFile('one:api', folder.path)).toBe(`${folder.path}/one.ts`)
    expect(() => findTargetFile('nowhere', folder.path)).toThrow(TargetInvalid)
  })
})

describe('an API description', () => {
  it.for([
    'openapi: 3.1.0\ninfo: {}\n',
    '# first\ninfo: {}\n"openapi": 3.0.0\n',
    "'swagger' : '2.0'\n",
    '{"openapi":"3.1.0"}',
    '  {\n "swagger": "2.0" }',
    '# it is indented\n\n  info: {}\n  openapi: 3.0.1\n',
    '{ openapi: 3.1.0, info: {} }',
    '{"info":{},"openapi":"3.1.0"}',
  ])('is known by its key: %j', (text) => {
    expect(isDescription(text)).toBe(true)
  })

  it.for([
    'routes:\n  GET /a: {}\n',
    'routes:\n  openapi: 1\n',
    'info: { openapi: 3.1.0 }\n',
    '# openapi: 3.1.0\nroutes: {}\n',
    '{"routes":{"openapi":1}}',
    '{"info":{},"openapi"',
    '',
  ])('is not every document: %j', (text) => {
    expect(isDescription(text)).toBe(false)
  })
})

const SEVEN: LoadOptions = { options: { seed: 7 } }

async function joined(targets: readonly string[], load: LoadOptions = {}): Promise<AppGatewayOptions> {
  const apps = targets.map((target) => loadApi(target, 'joined', undefined, load))
  return joinLoaded(await Promise.all(apps), load)
}

describe('the apps of a command', () => {
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
      const { engine } = await joined([`${folder.path}/a.mjs`, `${folder.path}/b.mjs`], SEVEN)
      expect(engine.seed).toBe(7)
      expect(engine.routes.map(({ key }) => key)).toEqual(['GET /a', 'GET /b'])
    })

    it('keep the seed of the first of them where none is given', async () => {
      const loaded = await loadApi(`${folder.path}/a.mjs`, 'joined')
      const { engine } = await joined([`${folder.path}/a.mjs`, `${folder.path}/b.mjs`])
      expect(engine.seed).toBe(loaded.api.seed)
    })

    it('are none of them web apps', async () => {
      await expect(joined([`${folder.path}/web.mjs`], SEVEN)).rejects.toThrow('can be joined')
    })
  })
})
