import { describe, expect, it } from 'vitest'
import { type Facts, fillText } from '../../../../src/collections/files/file-facts.ts'
import { bodyTemplate } from '../../../../src/recording/inference/files/answer-template.ts'
import { templateOf } from '../../../../src/recording/inference/files/answer-text.ts'

const NAMES = ['bucket', 'key', 'etag.value', 'size', 'last', 'count', 'truncated', 'next', 'delimiter']

function factsOf(values: Readonly<Record<string, string | readonly Facts[]>>): Facts {
  return (name) => values[name]
}

describe('the template of texts', () => {
  it.for<[string, string, readonly (readonly [string, Record<string, string>])[], string | undefined]>([
    ['one fact', 'location', [['/photos', { bucket: 'photos' }]], '/{bucket}'],
    ['a number where its name fits', 'Size', [['5', { size: '5', count: '5' }]], '{size}'],
    ['no number by chance', 'Version', [['5', { size: '5' }]], '5'],
    [
      'numbers that differ',
      'x',
      [
        ['5', { size: '5' }],
        ['7', { size: '7' }],
      ],
      '{size}',
    ],
    ['no nought by chance', 'range', [['0-0', { last: '0' }]], '0-0'],
    ['no part of a word', 'x', [['photoshop', { bucket: 'photos' }]], 'photoshop'],
    [
      'ids',
      'x',
      [
        ['id=0123456789abcdef', {}],
        ['id=fedcba9876543210', {}],
      ],
      'id={made.hex.16}',
    ],
    [
      'what nothing explains',
      'x',
      [
        ['red', {}],
        ['blue', {}],
      ],
      undefined,
    ],
    ['what would be read as a fact', 'x', [['{size}', {}]], undefined],
  ])('finds %s', ([, place, given, wanted]) => {
    const texts = given.map(([text, values]) => ({ text, facts: factsOf(values) }))
    expect(templateOf(texts, { names: NAMES, place })).toBe(wanted)
  })
})

const item = (key: string, size: string): Facts => factsOf({ key, size, 'etag.value': `${key}${size}00` })
const listOf = (items: readonly Facts[], more: Record<string, string> = {}): Facts =>
  factsOf({ bucket: 'photos', files: items, count: String(items.length), ...more })

const XML = {
  type: 'application/xml',
  write: (items: readonly string[], more = '') =>
    `<?xml version="1.0"?>\n<List><Name>photos</Name>${more}${items.join('')}</List>`,
  item: (key: string, size: string) =>
    `<Item><Key>${key}</Key><Tag>&#34;${key}${size}00&#34;</Tag><Size>${size}</Size></Item>`,
  next: (text: string) => `<Next>${text}</Next>`,
}
const JSON_LIST = {
  type: 'application/json',
  write: (items: readonly string[], more = '') => `{"bucket":"photos"${more},"items":[${items.join(',')}]}`,
  item: (key: string, size: string) => `{"key":"${key}","tag":"${key}${size}00","size":${size}}`,
  next: (text: string) => `,"next":"${text}"`,
}

describe.for([XML, JSON_LIST])('the template of bodies in $type', ({ type, write, item: written, next }) => {
  const given = [
    { type, text: write([]), facts: listOf([]) },
    {
      type,
      text: write([written('a.txt', '12'), written('b.txt', '7')], next('b.txt.more')),
      facts: listOf([item('a.txt', '12'), item('b.txt', '7')], { next: 'b.txt.more' }),
    },
  ]
  const template = bodyTemplate(given, NAMES)

  it('writes those that it was made from', () => {
    for (const { text, facts } of given) expect(fillText({ ...template, type }, facts)).toBe(text)
  })

  it('writes others', () => {
    const facts = factsOf({ bucket: 'other', files: [item('<x>', '1')], count: '1' })
    const text = fillText({ ...template, type }, facts)
    expect(text).toContain(type.endsWith('xml') ? '<Key>&lt;x&gt;</Key>' : '"key":"<x>"')
    expect(text).not.toMatch(/photos|next|Next/)
  })
})
