import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSim, startSim } from '../flow/sim-process.ts'
import { fileOf, GITHUB } from './descriptions.ts'

const MAX_MS = 60_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sim-corpus-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// GitHub's description with every reference written out: 70 MB.
const WRITTEN = fileOf(GITHUB).replace(/json$/, 'deref.json')

const BROKEN: readonly { name: string; file: string; text: () => string; said: RegExp }[] = [
  {
    name: 'a description of 50 MB that ends in the middle',
    file: 'cut.json',
    text: () => readFileSync(WRITTEN, 'utf8').slice(0, 50_000_000),
    said: /cut\.json:\d+/,
  },
  {
    name: 'a description of 50 MB, most of it one text, with a dangling reference',
    file: 'padded.json',
    text: () =>
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Padded', version: '1', description: 'x'.repeat(50_000_000) },
        paths: { '/a': { get: { responses: { 200: { $ref: '#/components/responses/Missing' } } } } },
      }),
    said: /#\/components\/responses\/Missing/,
  },
  {
    name: 'YAML whose aliases expand without bound',
    file: 'bomb.yaml',
    text: () => {
      const lines = ['openapi: 3.1.0', 'info: { title: Bomb, version: "1" }', 'x-0: &a0 [laugh, laugh]']
      for (let level = 1; level < 40; level++) {
        lines.push(`x-${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}*a${level - 1}]`)
      }
      return [...lines, 'paths: {}', ''].join('\n')
    },
    said: /alias/i,
  },
]

it.for(BROKEN)('$name gets one clear message, and soon', async ({ file, text, said }) => {
  writeFileSync(join(folder, file), text())
  const began = performance.now()
  const { code, stdout, stderr } = await runSim(['run', file, '--strict', '--port', '0'], folder)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stderr).toMatch(said)
  expect(stderr.length).toBeLessThan(1000)
  expect(performance.now() - began).toBeLessThan(MAX_MS)
})

it('serves a sound description of 70 MB', async () => {
  const sim = await startSim(['run', WRITTEN])
  try {
    const answer = await fetch(`${sim.url}/repos/octocat/hello-world`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ full_name: expect.any(String) as unknown })
  } finally {
    await sim.stop()
  }
})
