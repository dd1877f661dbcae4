import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFixture } from 'sim-gateway/adapter'
import { readBlocks, runBlocks } from 'sim-gateway/adapter/testing'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { adapter } from '../src/adapter.ts'
import { WorkspaceMockContext } from '../src/mock.ts'

const README = join(import.meta.dirname, '..', 'README.md')

describe('the README', () => {
  it('shows code that runs, and answers that come', async () => {
    const names = { 'sim-workspace': '../../src/index.ts' }
    const runs = await runBlocks(readBlocks(README, 'ts'), import.meta.dirname, names, (file) => import(file))
    expect(runs).toHaveLength(2)
    for (const { seen, expected } of runs) expect(seen).toEqual(parse(expected))
  })

  it('shows a fixture that strict mode takes, and whose history comes true', async () => {
    const [fixture = ''] = readBlocks(README, 'yaml')
    const loaded = loadFixture(adapter.fixture, parse(fixture) as object, { strict: true })
    using mock = new WorkspaceMockContext({ fixture: loaded, strict: true })
    const run = await (await mock.fetch('/api/2.2/jobs/runs/get?run_id=11&include_history=true')).json()
    expect(run).toMatchObject({
      state: { result_state: 'SUCCESS' },
      repair_history: [{ type: 'ORIGINAL' }, { type: 'REPAIR' }],
    })
  })

  it('says plainly what it is not', () => {
    const text = readFileSync(README, 'utf8')
    expect(text).toContain('unofficial')
    expect(text).toMatch(/not affiliated with, endorsed by .* does not claim complete parity/)
  })
})
