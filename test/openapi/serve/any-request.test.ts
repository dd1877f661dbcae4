import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { decodeBody } from '../../../src/openapi/serve/read-operation-body.ts'
import { readParts } from '../../../src/http/read-multipart.ts'
import { InputInvalid } from '../../../src/errors.ts'
import { parameter, readerOf } from './reading.ts'

const models: readonly Schema[] = [
  {},
  { type: ['integer', 'null'] },
  { type: 'array', items: { type: 'object', properties: { a: { type: 'array', items: {} } } } },
  {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'array', items: { type: 'boolean' } } },
  },
  {
    oneOf: [
      { type: 'string' },
      { type: 'array' },
      { type: 'object', additionalProperties: { type: 'number' } },
    ],
  },
  { $ref: '#/$defs/N', $defs: { N: { type: 'object', properties: { a: { $ref: '#/$defs/N' } } } } },
  { not: {} },
]
const styles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const
const query = models.flatMap((model, index) =>
  styles.flatMap((style) =>
    [true, false].map((explode) => parameter({ name: `q${index}`, in: 'query', style, explode, model })),
  ),
)
const bare = models.flatMap((model, index) => [
  parameter({ name: `h${index}`, in: 'header', explode: index % 2 === 0, model }),
  parameter({ name: `c${index}`, in: 'cookie', explode: index % 2 === 0, model }),
])
const paths = (['simple', 'label', 'matrix'] as const).flatMap((style) =>
  models.map((model) => parameter({ name: 'p', in: 'path', style, explode: style === 'label', model })),
)

// Texts made of what the grammars are made of.
const noise = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'q0',
        'q2',
        'q3',
        'c1',
        'a',
        'b',
        '=',
        '&',
        ';',
        ',',
        '.',
        '[',
        ']',
        '[]',
        '[a]',
        '[0]',
        '|',
      ),
      fc.constantFrom(
        '%',
        '%2C',
        '%C3%A9',
        '%FF',
        '+',
        '__proto__',
        'constructor',
        '{',
        '}',
        '"',
        '1',
        'true',
      ),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''))

function refusalOf(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    if (error instanceof InputInvalid) return error.body
    throw error
  }
}

describe('any request', () => {
  it('has an input, or issues', () => {
    const read = readerOf('/x', { parameters: [...query, ...bare] }, 'GET')
    fc.assert(
      fc.property(noise, noise, noise, (search, cookie, header) => {
        const headers = Object.fromEntries(models.map((_, index) => [`h${index}`, header]))
        expect(refusalOf(() => read({ path: '/x', search, headers: { ...headers, cookie } }))).toBeDefined()
      }),
    )
  })

  it('has a path that can be read, or issues', () => {
    const segments = noise.map((text) => text.replaceAll('/', '')).filter((text) => text !== '')
    const readers = paths.map((each) => readerOf('/x/{p}', { parameters: [each] }, 'GET'))
    fc.assert(
      fc.property(segments, (segment) => {
        for (const read of readers) {
          expect(refusalOf(() => read({ path: `/x/${segment}` }))).toBeDefined()
        }
      }),
    )
  })

  it.for(['application/json', 'application/xml', 'application/x-www-form-urlencoded', 'text/plain'])(
    'has a body of %s that can be read, or issues',
    (type) => {
      const media = models.map((model) => ({ model, examples: [] }))
      const xml = noise.map((text) => `<a>${text.replace(/[<>]/g, (sign) => `${sign}b/>`)}</a>`)
      fc.assert(
        fc.property(fc.oneof(noise, xml), (text) => {
          for (const each of media) {
            expect(refusalOf(() => ({ value: decodeBody(each, type, text) }))).toBeDefined()
          }
        }),
      )
    },
  )

  it('has parts that can be read, or issues', async () => {
    const part = fc
      .tuple(noise, noise)
      .map(([head, text]) => `--b\r\nContent-Disposition: form-data; name="${head}"\r\n\r\n${text}\r\n`)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(part, noise)), async (parts) => {
        const body = Readable.from([Buffer.from(`${parts.join('')}--b--`)])
        const read = async (): Promise<void> => {
          const received = await readParts(body, 'multipart/form-data; boundary=b')
          for (const model of models) decodeBody({ model, examples: [] }, 'multipart/form-data', received)
        }
        await read().catch((error: unknown) => expect(error).toBeInstanceOf(InputInvalid))
      }),
    )
  })
})
