import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { FromJsonFixture } from '../../../src/engine/links/from-json-fixture.ts'
import { FromNestedFixture } from '../../../src/engine/links/from-nested-fixture.ts'
import type { Link } from '../../../src/engine/links/link.ts'
import { WhenInput } from '../../../src/engine/links/when-input.ts'
import { list } from '../../../src/engine/schema/list.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { holdsStrictFixture } from '../../../src/openapi/export/failures.ts'
import { schema } from '../documents.ts'

const strict = { pointer: 'a', strict: true }
const User = (link: Link): Schema => schema(Type.Object({ name: Type.String(link) }, { title: 'User' }))
const tree = (link: Link | object): Schema =>
  schema(Type.Cyclic({ A: Type.Object({ a: Type.Ref('A'), b: Type.String({ ...link }) }) }, 'A'))

describe('holdsStrictFixture', () => {
  it.for<[string, Schema | undefined, boolean]>([
    ['a strict fixture', User(FromJsonFixture('a.json', strict)), true],
    ['a strict nested fixture', User(FromNestedFixture('a.json', strict)), true],
    ['one in a list of models', list(User(FromJsonFixture('a.json', strict))), true],
    ['one behind a condition', User(WhenInput('a', 1, FromJsonFixture('a.json', strict))), true],
    [
      'one behind a reference',
      { $ref: '#/$defs/A', $defs: { A: User(FromJsonFixture('a.json', strict)) } },
      true,
    ],
    ['one in a data file', User({ 'x-sim-link': { fromJsonFixture: ['a.json', strict] } }), true],
    ['one in a model that contains itself', tree(FromJsonFixture('a.json', strict)), true],
    [
      'one nobody refers to',
      { type: 'string', $defs: { A: User(FromJsonFixture('a.json', strict)) } },
      false,
    ],
    ['a lenient fixture', User(FromJsonFixture('a.json', { pointer: 'a' })), false],
    ['a model that contains itself', tree({}), false],
    ['another link', User(FromInput('strict')), false],
    ['an example of one', { type: 'object', default: { 'x-sim-link': 'text' } }, false],
    ['nothing', undefined, false],
  ])('finds, in %s, what is there', ([, model, expected]) => {
    expect(holdsStrictFixture(model)).toBe(expected)
  })
})
