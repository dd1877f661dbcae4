import { describe, expect, it } from 'vitest'
import { basePathHint } from '../../src/modes/simulate.ts'
import { SimAPI } from '../../src/api.ts'
import { importFile } from '../openapi/import/read-file.ts'

const engine = new SimAPI().addRoutes(importFile('pets.yaml').routes).engine()

describe('basePathHint', () => {
  it.for([
    ['/pets', /below \/v1: ask for \/v1\/pets$/],
    ['/photos', /below \/upload: ask for \/upload\/photos$/],
  ] as const)('says where %s is', ([path, hint]) => {
    expect(basePathHint(engine, { host: 'any.example', path })).toMatch(hint)
  })

  it('says nothing of what is nowhere', () => {
    expect(basePathHint(engine, { host: 'any.example', path: '/nothing' })).toBeUndefined()
  })
})
