import { describe, expect, it } from 'vitest'
import type { SchemaOrBoolean } from '../../../src/engine/schema/schema.ts'
import { writeXml } from '../../../src/openapi/serve/write-xml.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

function xml(value: unknown, model: SchemaOrBoolean = true): string {
  const text = writeXml(value, model)
  expect(text.startsWith(HEAD)).toBe(true)
  return text.slice(HEAD.length)
}

describe('writeXml', () => {
  it('names the root by its keyword, its component, its title', () => {
    const Pet = { type: 'object' }
    expect(xml({}, { $ref: '#/$defs/Pet', $defs: { Pet: { ...Pet, xml: { name: 'animal' } } } })).toMatch(
      /^<animal>/,
    )
    expect(xml({}, { $ref: '#/$defs/Pet', $defs: { Pet } })).toMatch(/^<Pet>/)
    expect(xml({}, { ...Pet, title: 'A pet' })).toMatch(/^<A_pet>/)
    expect(xml('x')).toBe('<root>x</root>')
  })

  it('writes fields as elements and attributes, and escapes', () => {
    const model = {
      type: 'object',
      xml: { name: 'pet' },
      properties: {
        id: { xml: { attribute: true } },
        name: { xml: { name: 'called' } },
        ok: { type: 'boolean' },
      },
    }
    expect(xml({ id: 1, name: '<a & b>', ok: true, '2 legs': null }, model)).toBe(
      '<pet id="1"><called>&lt;a &amp; b&gt;</called><ok>true</ok><_2_legs></_2_legs></pet>',
    )
  })

  it('writes lists side by side, or wrapped', () => {
    const items = { type: 'string', xml: { name: 'tag' } }
    const listed = { type: 'object', xml: { name: 'p' }, properties: { tags: { type: 'array', items } } }
    expect(xml({ tags: ['a', 'b'] }, listed)).toBe('<p><tag>a</tag><tag>b</tag></p>')
    const wrapped = {
      ...listed,
      properties: { tags: { type: 'array', items, xml: { wrapped: true, name: 'all' } } },
    }
    expect(xml({ tags: ['a', 'b'] }, wrapped)).toBe('<p><all><tag>a</tag><tag>b</tag></all></p>')
    expect(xml([{ a: 1 }], { type: 'array', xml: { name: 'pets' }, items: { xml: { name: 'pet' } } })).toBe(
      '<pets><pet><a>1</a></pet></pets>',
    )
  })

  it('declares namespaces and prefixes', () => {
    const model = { type: 'object', xml: { name: 'pet', prefix: 'z', namespace: 'http://example.com/z' } }
    expect(xml({ a: 1 }, model)).toBe('<z:pet xmlns:z="http://example.com/z"><a>1</a></z:pet>')
    expect(xml('x', { xml: { name: 'pet', namespace: 'urn:a' } })).toBe('<pet xmlns="urn:a">x</pet>')
  })
})
