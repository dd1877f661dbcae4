import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { createXmlReader } from '../../../src/openapi/serve/read-xml.ts'
import { writeXml } from '../../../src/openapi/serve/write-xml.ts'

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

// What XML has no escape for is no text of it, and a carriage return is a line feed to its readers.
const xmlText = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((each) => /^[\t\n\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]+$/u.test(each))

describe('an XML body', () => {
  const read = createXmlReader(model)

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

  it('is a list where the model is one', () => {
    const readList = createXmlReader({ type: 'array', items: { type: 'integer', xml: { name: 'n' } } })
    expect(readList('<all><n>1</n><n>2</n></all>')).toEqual([1, 2])
    expect(readList('<all/>')).toEqual([])
  })

  it('keeps its own names where the model is open', () => {
    expect(createXmlReader({})('<a xmlns="urn:x"><b c="1">t</b></a>')).toEqual({ b: { c: '1' } })
  })
})
