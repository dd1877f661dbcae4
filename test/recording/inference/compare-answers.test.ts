import { expect, it } from 'vitest'
import { compareAnswers } from '../../../src/recording/inference/compare-answers.ts'

const NOTHING = { origin: 'http://api.test', isRequested: () => false, isNamedLater: () => false }
const empty = (headers: Readonly<Record<string, string[]>>, status = 204) => ({
  ...{ status, headers, type: '', bytes: Buffer.alloc(0) },
})

it.each([['etag'], ['location']])('misses a %s that says where or how what was written is', (name) => {
  const recorded = empty({ [name]: ['"a1"'] })
  const differs = compareAnswers(recorded, empty({}), { ...NOTHING, isWrite: true }).differs
  expect(differs.join()).toContain(`header ${name}`)
  const same = compareAnswers(recorded, empty({ [name]: ['"a1"'] }), { ...NOTHING, isWrite: true })
  expect(same.differs).toEqual([])
})

it('takes any ETag for that of what was written, and needs none of what was refused or read', () => {
  const recorded = empty({ etag: ['"a1"'] })
  const given = empty({ etag: ['"zz"'] })
  expect(compareAnswers(recorded, given, { ...NOTHING, isWrite: true }).differs).toEqual([])
  expect(compareAnswers(recorded, empty({}), NOTHING).differs).toEqual([])
  const refused = empty({ etag: ['"a1"'] }, 404)
  expect(compareAnswers(refused, empty({}, 404), { ...NOTHING, isWrite: true }).differs).toEqual([])
})

it('takes a list that a server keeps in no order for the same in any', () => {
  const tags = (...own: string[]) => ({
    ...{ status: 200, headers: {}, type: 'application/json' },
    bytes: Buffer.from(JSON.stringify({ id: 'a1', tags: own, steps: own })),
  })
  const [recorded, given] = [tags('stable', 'linux'), tags('linux', 'stable')]
  const isUnordered = (name: string): boolean => name === 'tags'
  const { differs } = compareAnswers(recorded, given, { ...NOTHING, isUnordered })
  expect(differs.every((each) => each.startsWith('body/steps/'))).toBe(true)
  expect(differs).toHaveLength(2)
})
