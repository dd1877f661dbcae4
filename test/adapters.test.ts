import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createManifest, loadFixture, type AdapterDefinition } from 'sim-gateway/adapter'
import { findUnproven } from 'sim-gateway/adapter/testing'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../adapters')

async function load(name: string): Promise<AdapterDefinition<unknown, unknown>> {
  const module = (await import(join(ROOT, name, 'src/index.ts'))) as {
    adapter: AdapterDefinition<unknown, unknown>
  }
  return module.adapter
}

interface Package {
  readonly name: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
}

function read(name: string, file: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, name, file), 'utf8'))
}

describe.for(readdirSync(ROOT))('the adapter in adapters/%s', (name) => {
  it('says of itself what its package says', async () => {
    const { name: command, packageVersion } = await load(name)
    expect(read(name, 'package.json')).toMatchObject({
      name: command,
      version: packageVersion,
    } satisfies Package)
  })

  it('has a command that is found before anything is built, when npm links it', async () => {
    const { name: command, packageVersion } = await load(name)
    const file = (read(name, 'package.json') as Package).bin?.[command] ?? ''
    expect(file).not.toMatch(/^\.\/dist/)
    expect(execFileSync(process.execPath, [join(ROOT, name, file), '--version'], { encoding: 'utf8' })).toBe(
      `${packageVersion}\n`,
    )
  })

  it('names tests that are there, for every operation it answers', async () => {
    expect(findUnproven(createManifest(await load(name)), join(ROOT, name))).toEqual([])
  })

  it('ships the manifest that it serves', async () => {
    expect(read(name, 'dist/manifest.json')).toEqual(createManifest(await load(name)))
  })

  it('begins with a fixture that strict mode takes', async () => {
    const { fixture } = await load(name)
    expect(() => loadFixture(fixture, fixture.starter, { strict: true })).not.toThrow()
  })
})
