import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findConfig } from '../../src/config/find-config.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { ConfigInvalid } from '../../src/errors.ts'
import { temporaryFolder } from './temporary-folder.ts'

describe('the search for a config file', () => {
  it('takes the nearest directory, and in it the first of the names', () => {
    using folder = temporaryFolder({
      'sim.yaml': 'seed: 1',
      'a/pyproject.toml': '[tool.sim]\nseed = 2',
      'a/b/sim.yml': 'seed: 3',
      'a/b/package.json': '{ "sim": { "seed": 4 } }',
      'a/b/c/d/none.txt': '',
    })
    const seedFrom = (place: string): unknown => loadConfig(undefined, join(folder.path, place)).seed
    expect([seedFrom('.'), seedFrom('a'), seedFrom('a/b'), seedFrom('a/b/c/d')]).toEqual([1, 2, 3, 3])
  })

  it('passes by files of other tools that hold no options', () => {
    using folder = temporaryFolder({
      'sim.yaml': 'seed: 1',
      'a/package.json': '{ "name": "sim-shop", "keywords": ["sim"] }',
      'a/b/package.json': '{ malformed',
      'a/b/c/pyproject.toml': '[tool.other]\nname = "sim"\n',
    })
    expect(findConfig(join(folder.path, 'a/b/c'))).toBe(join(folder.path, 'sim.yaml'))
  })

  it('stops at a malformed file that speaks of sim', () => {
    using folder = temporaryFolder({ 'package.json': '{ "sim": { "seed": 1 }' })
    expect(() => loadConfig(undefined, folder.path)).toThrow(ConfigInvalid)
  })

  it('ends at the root without a file', () => {
    using folder = temporaryFolder({ 'sim.yaml/inner.txt': '' })
    expect(findConfig(folder.path)).toBeUndefined()
    expect(loadConfig(undefined, folder.path)).toEqual({})
  })
})
