import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFileWhole } from '../../src/loaders/write-file.ts'
import { FileNotWritten } from '../../src/errors.ts'
import { temporaryFolder } from '../temporary-folder.ts'

describe('writing a file', () => {
  it('makes its directories, replaces what was there and leaves nothing else behind', () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'a/b/file.json')
    writeFileWhole(file, 'long text')
    writeFileWhole(file, 'new')
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(readdirSync(join(folder.path, 'a/b'))).toEqual(['file.json'])
  })

  it('that cannot be written names it and leaves nothing behind', () => {
    using folder = temporaryFolder({ 'taken/inner.txt': '' })
    expect(() => writeFileWhole(join(folder.path, 'taken'), 'text')).toThrow(FileNotWritten)
    expect(() => writeFileWhole(join(folder.path, 'taken/inner.txt/x'), 'text')).toThrow(
      /inner\.txt\/x could not be/,
    )
    expect(readdirSync(folder.path)).toEqual(['taken'])
  })
})
