import { describe, expect, it } from 'vitest'
import { dateTime, hex, shortTextOfFormat, textOfFormat, uuid } from '../../../src/engine/schema/formats.ts'
import { asciiOf } from '../../../src/engine/schema/words.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { createValidator } from './generating.ts'

const FORMATS = [
  ...['date-time', 'iso-date-time', 'date', 'time', 'iso-time', 'duration', 'email', 'idn-email', 'hostname'],
  ...[
    'idn-hostname',
    'ipv4',
    'ipv6',
    'uri',
    'url',
    'iri',
    'uri-reference',
    'iri-reference',
    'uri-template',
    'uuid',
  ],
  ...[
    'json-pointer',
    'json-pointer-uri-fragment',
    'relative-json-pointer',
    'regex',
    'byte',
    'binary',
    'password',
  ],
]
const stream = contentStream(1, 'formats')
const draws = (draw: ReturnType<typeof textOfFormat>): string[] =>
  Array.from({ length: 100 }, (_, index) => draw?.(stream.child(index)) ?? '')

describe('textOfFormat', () => {
  it.for(FORMATS)('draws valid and varied texts of format %s', (format) => {
    const findErrors = createValidator({ type: 'string', format })
    const texts = draws(textOfFormat(format))
    expect(texts.filter((text) => findErrors(text).length > 0)).toEqual([])
    expect(new Set(texts).size).toBeGreaterThan(20)
  })

  it('draws nothing of a format it does not know', () => {
    expect(textOfFormat('colour')).toBeUndefined()
  })

  it('keeps addresses to names that are kept for examples', () => {
    expect(
      draws(textOfFormat('email')).every((text) =>
        /^[a-z0-9]+\.[a-z0-9]+@example\.(com|org|net)$/.test(text),
      ),
    ).toBe(true)
    expect(
      draws(textOfFormat('uri')).every((text) => /^https:\/\/[a-z0-9]+\.example\.(com|org|net)\//.test(text)),
    ).toBe(true)
    expect(
      draws(textOfFormat('ipv4')).every((text) => /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/.test(text)),
    ).toBe(true)
  })
})

describe('shortTextOfFormat', () => {
  it.for(FORMATS)('draws valid texts of format %s, shorter than usual', (format) => {
    const draw = shortTextOfFormat(format)
    if (draw === undefined) return
    const findErrors = createValidator({ type: 'string', format })
    const texts = draws(draw)
    expect(texts.filter((text) => findErrors(text).length > 0)).toEqual([])
    const longest = Math.max(...texts.map((text) => text.length))
    expect(longest).toBeLessThan(Math.max(...draws(textOfFormat(format)).map((text) => text.length)))
  })
})

describe('uuid', () => {
  it('is of version 4', () => {
    for (let index = 0; index < 50; index++) {
      expect(uuid(stream.child(index))).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
    }
  })
})

describe('dateTime', () => {
  it('lies between 2020 and the end of 2025', () => {
    for (const text of draws(dateTime)) expect(text >= '2020' && text < '2026').toBe(true)
  })
})

describe('hex', () => {
  it('has as many digits as asked for', () => {
    expect(hex(stream, 3)).toMatch(/^[0-9a-f]{3}$/)
  })
})

describe('asciiOf', () => {
  it('keeps letters and digits', () => {
    expect(['José María', "O'Neil 2", '東京'].map(asciiOf)).toEqual(['josemaria', 'oneil2', 'x'])
  })
})
