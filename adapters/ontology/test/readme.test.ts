import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFixture } from 'sim-gateway/adapter'
import { readBlocks, runBlocks } from 'sim-gateway/adapter/testing'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { adapter } from '../src/adapter.ts'

const README = join(import.meta.dirname, '..', 'README.md')

describe('the README', () => {
  it('shows code that runs, and answers that come', async () => {
    const names = { 'sim-ontology': '../../src/index.ts' }
    const runs = await runBlocks(readBlocks(README, 'ts'), import.meta.dirname, names, (file) => import(file))
    expect(runs).toHaveLength(2)
    for (const { seen, expected } of runs) expect(seen).toEqual(parse(expected))
  })

  it('shows a fixture that strict mode takes', () => {
    const [fixture = ''] = readBlocks(README, 'yaml')
    const loaded = loadFixture(adapter.fixture, parse(fixture) as object, { strict: true })
    expect(loaded.ontologies[0]?.objectTypes).toHaveLength(3)
  })

  it('says plainly what it is not', () => {
    const text = readFileSync(README, 'utf8')
    expect(text).toContain('unofficial')
    expect(text).toMatch(/not affiliated with, endorsed by .* does not claim complete parity/)
  })
})
