import { describe, expect, it } from 'vitest'
import { parseXml } from '../../../src/openapi/serve/parse-xml.ts'
import { issuesOf } from './reading.ts'

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
