import { expect, it } from 'vitest'
import { alikeMembers, idMember, repeatedMembers } from '../../../src/recording/calls/id-members.ts'

const program = (name: string, uid = 'none'): Readonly<Record<string, unknown>> => ({ uid, name })
const read = (name: string, wanted: unknown, value: unknown) => ({
  ...{ call: { name, args: { 0: wanted } }, value },
})
const [web, mail] = [program('web'), program('mail')]

it('is none that is called like an id and the same in all objects of a list', () => {
  const calls = [read('listPrograms', undefined, [web, mail])]
  const one = idMember(web, new Set(['name']), 'program', new Set(), alikeMembers(calls))
  expect(one).toBe('name')
  const others = [read('listPrograms', undefined, [web, program('mail', '1')])]
  expect(alikeMembers(others)).toEqual(new Set())
  expect(alikeMembers([read('getProgram', 'web', web)])).toEqual(new Set())
})

it('is what calls mostly name objects by, of which one may have a longer name', () => {
  const calls = ['web', 'mail', 'web', 'mail'].map((name) => read('getProgram', name, program(name)))
  expect(repeatedMembers([...calls, read('getProgram', 'web:web', web)])).toEqual(new Set(['name']))
  const others = ['a', 'b'].map((wanted) => read('getProgram', wanted, web))
  expect(repeatedMembers([...calls, ...others])).toEqual(new Set())
})
