import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../samples.ts'
import { createBodyFile, removeStaleFiles, storeBody } from '../../../src/recording/files/body-files.ts'

const sha256 = createHash('sha256').update('one two').digest('hex')

describe('createBodyFile', () => {
  it('names the file for its content, readable only to its owner', async () => {
    const directory = await temporaryDirectory()
    const file = await createBodyFile(directory)
    await file.write(Buffer.from('one '))
    await file.write(Buffer.from('two'))

    expect(await file.keep()).toBe(sha256)
    expect(await readdir(directory)).toEqual([sha256])
    expect(await readFile(join(directory, sha256), 'utf8')).toBe('one two')
    expect((await stat(join(directory, sha256))).mode & 0o777).toBe(0o600)
  })

  it('removes what was written when it is discarded', async () => {
    const directory = await temporaryDirectory()
    const file = await createBodyFile(directory)
    await file.write(Buffer.from('one'))
    await file.discard()

    expect(await readdir(directory)).toEqual([])
  })
})

describe('storeBody', () => {
  it('stores a body once', async () => {
    const directory = await temporaryDirectory()
    const body = Buffer.from('one two')

    expect(await storeBody(directory, body)).toBe(sha256)
    expect(await storeBody(directory, body)).toBe(sha256)
    expect(await readdir(directory)).toEqual([sha256])
  })

  it('leaves nothing behind when it fails', async () => {
    const directory = await temporaryDirectory()
    await expect(storeBody(directory, 7 as unknown as Buffer)).rejects.toThrow(TypeError)

    expect(await readdir(directory)).toEqual([])
  })
})

describe('removeStaleFiles', () => {
  it('removes temporary files of more than a day ago, and nothing else', async () => {
    const directory = await temporaryDirectory()
    const old = new Date('2020-01-01')
    for (const name of ['old.tmp', 'new.tmp', sha256]) await writeFile(join(directory, name), '')
    for (const name of ['old.tmp', sha256]) await utimes(join(directory, name), old, old)
    await mkdir(join(directory, 'other'))
    await removeStaleFiles(directory)

    expect((await readdir(directory)).toSorted()).toEqual([sha256, 'new.tmp', 'other'].toSorted())
  })
})
