import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadFixture } from 'sim-gateway/adapter'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { adapter } from '../src/adapter.ts'
import { WorkspaceMockContext } from '../src/context.ts'

const text = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code)

describe('the README', () => {
  it('shows code that runs, and answers that come', async () => {
    const folder = mkdtempSync(join(import.meta.dirname, 'readme-'))
    try {
      const codes = blocks('ts')
      expect(codes).toHaveLength(2)
      for (const [index, code] of codes.entries()) {
        const file = join(folder, `block-${index}.ts`)
        writeFileSync(file, code.replaceAll(`'sim-workspace'`, `'../../src/index.ts'`))
        const { seen } = (await import(file)) as { seen: unknown }
        const [, answer = ''] = /^\/\/ → (.*)$/m.exec(code) ?? []
        expect(seen).toEqual(parse(answer))
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('shows a fixture that strict mode takes, and whose history comes true', async () => {
    const [fixture = ''] = blocks('yaml')
    const loaded = loadFixture(adapter.fixture, parse(fixture) as object, { strict: true })
    using mock = new WorkspaceMockContext({ fixture: loaded, strict: true })
    const run = await (await mock.fetch('/api/2.2/jobs/runs/get?run_id=11&include_history=true')).json()
    expect(run).toMatchObject({
      state: { result_state: 'SUCCESS' },
      repair_history: [{ type: 'ORIGINAL' }, { type: 'REPAIR' }],
    })
  })

  it('says plainly what it is not', () => {
    expect(text).toContain('unofficial')
    expect(text).toMatch(/not affiliated with, endorsed by .* does not claim complete parity/)
  })
})
