import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { createAdapter } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { adapter } from '../../src/adapter.ts'
import { createMemoryStorage, createTemporaryStorage } from '../../src/files/contents.ts'

const run = promisify(execFile)
const jiti = join(dirname(createRequire(import.meta.url).resolve('jiti/package.json')), 'lib/jiti-cli.mjs')
const writeAndExit = () => run(process.execPath, [jiti, join(import.meta.dirname, 'write-and-exit.ts')])

describe.each([
  ['in memory', createMemoryStorage],
  ['in a temporary directory', createTemporaryStorage],
])('storage %s', (_, create) => {
  it('gives back what was appended, from wherever and however much is requested', () => {
    const storage = create()
    let count = 0
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 9 }), { minLength: 1, maxLength: 6 }),
        fc.nat(40),
        fc.nat(40),
        (blocks, offset, length) => {
          const name = String((count += 1))
          for (const block of blocks) storage.append(name, Buffer.from(block))
          const whole = Buffer.concat(blocks)
          expect(storage.read(name, offset, length).equals(whole.subarray(offset, offset + length))).toBe(
            true,
          )
          storage.remove(name)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('begins anew after a removal, also of what was never there', () => {
    const storage = create()
    storage.append('a', Buffer.from('one'))
    storage.remove('a')
    storage.remove('b')
    storage.append('a', Buffer.from('two'))
    expect(storage.read('a', 0, 9).toString()).toBe('two')
  })
})

describe('the temporary directories of a workspace', () => {
  it('end with its state: by a reset, a restored snapshot, and its end', async () => {
    const fixture = { version: 1, fileStorage: { temporaryDirectory: true } }
    const mock = createAdapter(adapter, { fixture })
    const count = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`sim-workspace-${process.pid}-`)).length
    const before = count()
    const put = async () => {
      const body = JSON.stringify({ path: '/a', contents: 'YQ==', overwrite: true })
      expect((await mock.fetch('/api/2.0/dbfs/put', { method: 'POST', body })).status).toBe(200)
      expect(count()).toBe(before + 1)
    }
    await put()
    mock.reset()
    expect(count()).toBe(before)
    await put()
    mock.restore(JSON.parse(JSON.stringify(mock.snapshot())))
    expect(count()).toBe(before + 1)
    expect((await mock.fetch('/api/2.0/dbfs/read?path=/a')).status).toBe(200)
    mock.close()
    expect(count()).toBe(before)
  })
})

describe('temporary storage', () => {
  it('writes files of hashed names in its own directory only, whatever they are called', () => {
    const storage = createTemporaryStorage()
    expect(storage.directory).toBeUndefined()
    const names = ['../../escape', '/etc/escape', 'a/b', '.', '..', '', 'con', '\0', 'x'.repeat(5000)]

    for (const name of names) storage.append(name, Buffer.from('x'))

    const directory = storage.directory as string
    expect(dirname(directory)).toBe(tmpdir())
    const files = readdirSync(directory, { recursive: true }) as string[]
    expect(files).toHaveLength(names.length)
    expect(files.filter((file) => !/^[0-9a-f]{64}$/.test(file))).toEqual([])
    expect(statSync(join(directory, files[0] as string)).mode & 0o777).toBe(0o600)
    expect(existsSync(join(directory, '../../escape'))).toBe(false)
  })

  it('removes what processes have left that were killed, and nothing else', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    const [left, foreign] = [`sim-workspace-${child.pid}-abcdef`, `sim-workspace-${child.pid}`]
    for (const name of [left, foreign]) mkdirSync(join(tmpdir(), name))

    const { stdout } = await writeAndExit()

    expect(JSON.parse(stdout)).toHaveLength(2)
    expect([left, foreign].map((name) => existsSync(join(tmpdir(), name)))).toEqual([false, true])
    rmdirSync(join(tmpdir(), foreign))
  })

  it('takes its directory along when the process ends', async () => {
    const { stdout } = await writeAndExit()

    const [before, directory] = JSON.parse(stdout) as [number, string]
    expect(before).toBe(1)
    expect(directory.startsWith(tmpdir())).toBe(true)
    expect(existsSync(directory)).toBe(false)
  })
})
