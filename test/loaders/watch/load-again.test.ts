import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findImports } from '../../../src/loaders/watch/load-again.ts'
import { temporaryFolder, type TemporaryFolder } from '../../temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const namesOf = (file: string): string[] =>
  findImports(`${folder.path}/${file}`).map((each) => each.slice(folder.path.length + 1))

describe('the imports of a module', () => {
  it('are found in all their forms, whatever they leave out, and through each other', () => {
    folder.write(
      'app.ts',
      `import a, { type B } from './a.js'
import './b'
import data from "./data.json" with { type: 'json' }
export * from './lib'
const later = await import(\`./later.mjs\`), old = require ( './old.cjs' )
import fs from 'node:fs'
import { z } from 'zod'
`,
    )
    folder.write('a.ts', "import './deep/c.ts'\nimport './app.ts'")
    const others = ['b.ts', 'data.json', 'deep/c.ts', 'later.mjs', 'lib/index.ts', 'old.cjs']
    for (const name of others) folder.write(name, '')
    expect(namesOf('app.ts').toSorted()).toEqual(['a.ts', 'app.ts', ...others])
  })

  it('are found in a module with mistakes, and where they lead nowhere yet', () => {
    folder.write('app.mjs', "import './missing.mjs'\nexport const x = (")
    expect(namesOf('app.mjs')).toEqual(['app.mjs', 'missing.mjs'])
  })

  it('are none of a document', () => {
    folder.write('api.yaml', "x: import './app.ts'")
    expect(namesOf('api.yaml')).toEqual(['api.yaml'])
  })
})
