import { expect, it } from 'vitest'
import { hasCommand } from './server.ts'
import { proveSystem } from './prove-system.ts'
import type { System } from './system.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const HOW = 'npm ci --prefix test/proving && npm run proving'

// The others are heavy, and installed apart: npm run proving.
it.for(['json-server', 'git'])(
  `reaches the bars with %s; with more systems: ${HOW}`,
  async (name, { skip }) => {
    const system = (await import(`./systems/${name}.mjs`)) as System
    const missing = (system.needs ?? []).filter((program) => !hasCommand(program))
    if (missing.length > 0) skip(`${missing.join(', ')} is not installed`)
    using folder = temporaryFolder()
    const proving = { wireMock: undefined, onProgress: () => undefined }
    const { measured } = await proveSystem({ ...proving, name, system, directory: `${folder.path}/run` })
    const short = Object.entries(measured).filter(([bar, { ok }]) => !ok && system.short?.[bar] === undefined)
    expect(Object.keys(measured).length).toBeGreaterThan(0)
    expect(short).toEqual([])
  },
)
