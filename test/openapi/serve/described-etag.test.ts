import { expect, it } from 'vitest'
import { createEtag } from '../../../src/openapi/serve/described-etag.ts'
import { header, response } from './describing.ts'

const content = { data: '{"id":1}', kind: 'json' } as never
const etagOf = (model: object) =>
  createEtag(response(200, {}, [header('ETag', { model: { type: 'string', ...model } })]))?.(content)

it.for([
  [{}, /^"[\w-]{22}"$/],
  [{ pattern: '^W/' }, /^W\/"[\w-]{22}"$/],
  [{ pattern: String.raw`^"([0-9]+?)"$|\*` }, /^"\d+"$/],
  [{ pattern: '^[^"]*$' }, /^[\w-]{22}$/],
  [{ type: 'integer' }, /^\d+$/],
  [{ const: 'never' }, /^"[\w-]{22}"$/],
] as const)('makes an ETag that fits %j', ([model, form]) => {
  expect(etagOf(model)).toMatch(form)
})

it('leaves an ETag to its example', () => {
  expect(createEtag(response(200, {}, [header('etag', { example: '"1"' })]))).toBeUndefined()
})
