import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema, SchemaOrBoolean } from '../../../src/engine/schema/schema.ts'
import { createXmlReader, parseXml, writeXml } from '../../../src/openapi/serve/xml.ts'
import { issuesOf } from './reading.ts'

const text = { type: 'string' }
const model: Schema = {
  type: 'object',
  xml: { name: 'Pet' },
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    name: { type: 'string', xml: { name: 'petName' } },
    good: { type: 'boolean' },
    price: { type: ['number', 'null'] },
    tags: {
      type: 'array',
      items: { type: 'string', xml: { name: 'tag' } },
      xml: { wrapped: true, name: 'tagList' },
    },
    plain: { type: 'array', items: { type: 'integer' } },
    owners: { type: 'array', items: { $ref: '#/$defs/Owner' }, xml: { wrapped: true } },
    owner: { $ref: '#/$defs/Owner' },
  },
  $defs: {
    Owner: {
      type: 'object',
      xml: { name: 'owner', prefix: 'o', namespace: 'urn:x' },
      properties: { name: text },
    },
  },
}

// What XML has no escape for cannot be in a text of it, and a carriage return is a line feed to its readers.
const xmlText = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((each) => /^[\t\n\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]+$/u.test(each))

describe('an XML body', () => {
  const read = createXmlReader(model)

  // As descriptions of S3 have it, whose clients send the type as an attribute.
  it('has no objects in attributes, and names and attributes without their prefixes', () => {
    const grant: Schema = {
      type: 'object',
      xml: { name: 'Grant' },
      properties: {
        to: {
          type: 'object',
          xml: { attribute: true },
          properties: { kind: { type: 'string', xml: { name: 'xsi:type' } } },
        },
      },
    }
    const value = { to: { kind: 'Group' } }
    const written = writeXml(value, grant)
    expect(written).toContain('<Grant><to><xsi:type>Group</xsi:type></to></Grant>')
    expect(createXmlReader(grant)(written)).toEqual(value)
    expect(createXmlReader(grant)('<Grant><to xmlns:xsi="urn:x" xsi:type="Group"/></Grant>')).toEqual(value)
  })

  it('is read as it is written', () => {
    const owner = fc.record({ name: xmlText })
    const pet = fc.record(
      {
        id: fc.integer(),
        name: xmlText,
        good: fc.boolean(),
        price: fc.integer(),
        tags: fc.array(xmlText),
        plain: fc.array(fc.integer(), { minLength: 1 }),
        owner,
        owners: fc.array(owner),
      },
      { requiredKeys: ['id'] },
    )
    fc.assert(
      fc.property(pet, (value) => {
        expect(read(writeXml(value, model))).toEqual(value)
      }),
    )
  })

  it.for([
    ['<Pet id="7"/>', { id: 7 }],
    ['<anything><good>true</good></anything>', { good: true }],
    ['<x:Pet xmlns:x="urn:y"><x:petName>Rex</x:petName></x:Pet>', { name: 'Rex' }],
    ['<Pet><petName>a &amp; &#x41;&#66; <![CDATA[<b>&amp;]]></petName></Pet>', { name: 'a & AB <b>&amp;' }],
    ['<Pet>\n  <price> 4.5 </price>\n</Pet>', { price: 4.5 }],
    ['<Pet><tagList/></Pet>', { tags: [] }],
    ['<Pet><tagList><other>a</other><other>b</other></tagList></Pet>', { tags: ['a', 'b'] }],
    ['<Pet><plain>1</plain></Pet>', { plain: [1] }],
    ['<Pet><petName>a</petName><petName>b</petName></Pet>', { name: 'b' }],
    ['<Pet><more a="1"><b>x</b><b>y</b></more></Pet>', { more: { a: '1', b: ['x', 'y'] } }],
    ['<?xml version="1.0"?><!-- note --><Pet><good>no</good></Pet>', { good: false }],
    ['<Pet><price>much</price></Pet>', { price: 'much' }],
  ] as const)('%s is %j', ([xml, value]) => {
    expect(read(xml)).toEqual(value)
  })

  // An element has no sign of a list in it that is empty.
  it('has an empty list in place of one that it needs and that is not there', () => {
    const list = { type: 'array', items: text }
    const properties = { plain: list, other: list, wrapped: { ...list, xml: { wrapped: true } } }
    const needs = { type: 'object', properties, required: ['plain', 'wrapped'] }
    expect(createXmlReader(needs)('<a><wrapped/></a>')).toEqual({ plain: [], wrapped: [] })
    expect(createXmlReader(needs)('<a/>')).toEqual({ plain: [] })
  })

  it('is a list where the model is one', () => {
    const readList = createXmlReader({ type: 'array', items: { type: 'integer', xml: { name: 'n' } } })
    expect(readList('<all><n>1</n><n>2</n></all>')).toEqual([1, 2])
    expect(readList('<all/>')).toEqual([])
  })

  it('keeps its own names where the model is open', () => {
    expect(createXmlReader({})('<a xmlns="urn:x"><b c="1">t</b></a>')).toEqual({ b: { c: '1' } })
  })
})

describe('XML', () => {
  it.for([
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<!DOCTYPE a><a/>',
    '<!doctype a [<!ENTITY x "y">]><a>&x;</a>',
    '<__proto__>x</__proto__>',
    '<a>'.repeat(1000) + '</a>'.repeat(1000),
  ])('is refused as %j', (text) => {
    expect(issuesOf(() => parseXml(text))).toMatchObject([{ type: 'xml_invalid', loc: ['body'] }])
  })

  it('may hold many escapes', () => {
    expect(parseXml(`<a>${'&amp;'.repeat(10_000)}</a>`)).toBe('&'.repeat(10_000))
  })
})

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

  it('writes what OpenAPI 3.2 calls a kind of node', () => {
    const properties = {
      id: { type: 'integer', xml: { nodeType: 'attribute' } },
      tags: { type: 'array', items: { type: 'string', xml: { name: 'tag' } }, xml: { nodeType: 'element' } },
      note: { type: 'string', xml: { nodeType: 'text' } },
    }
    const model = { type: 'object', xml: { name: 'p' }, properties }
    expect(xml({ id: 1, note: 'x' }, model)).toBe('<p id="1">x</p>')
    expect(xml({ tags: ['a'] }, model)).toBe('<p><tags><tag>a</tag></tags></p>')
  })

  it('declares namespaces and prefixes', () => {
    const model = { type: 'object', xml: { name: 'pet', prefix: 'z', namespace: 'http://example.com/z' } }
    expect(xml({ a: 1 }, model)).toBe('<z:pet xmlns:z="http://example.com/z"><a>1</a></z:pet>')
    expect(xml('x', { xml: { name: 'pet', namespace: 'urn:a' } })).toBe('<pet xmlns="urn:a">x</pet>')
  })
})
