import { describe, expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf, valuesOf, createValidator } from './generating.ts'
import { textByName, wordsOf } from '../../../src/engine/schema/text-by-name.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { dateTime, hex, otherTextsOfFormat, textOfFormat, uuid } from '../../../src/engine/schema/formats.ts'
import { asciiOf, pickWord, type WordList } from '../../../src/engine/schema/words.ts'
import { compilePattern, isWithin } from '../../../src/engine/schema/pattern.ts'

describe('compileString', () => {
  it.for<Schema>([
    {},
    { maxLength: 0 },
    { maxLength: 1 },
    { minLength: 200 },
    { minLength: 7, maxLength: 7 },
    { pattern: '^[a-z]+$', minLength: 30, maxLength: 30 },
    { pattern: 'x{3}', minLength: 12 },
    { pattern: String.raw`^\ca\cZ$` },
    { pattern: '^x{3}', minLength: 12, maxLength: 14 },
    { pattern: '^(?=.*\\d)(?=.*[a-z])[a-z\\d]{6}$' },
    { pattern: '^(?=^\\$)(?=^\\S+$).*$' },
    { pattern: '^(?=.*[A-Z])(?=.*\\d).{8,}$' },
    { pattern: '^[a-z]([a-z\\d]|(\\.(?!(\\.|-)))|(-(?!\\.))){1,61}[a-z\\d]$', minLength: 3, maxLength: 63 },
    { pattern: 'jdbc:(redshift|postgresql)://((?!-)[A-Za-z0-9-]{1,63}(?<!-)\\.)+redshift\\.[a-z]+/\\w+' },
    { pattern: '.*(^arn:aws:s3:::)([\\w-]+$).*', maxLength: 256 },
    { format: 'uuid', pattern: '^[{(]?[0-9A-F]{8}[-]?([0-9A-F]{4}[-]?){3}[0-9A-F]{12}[)}]?$' },
    { format: 'uri', pattern: '.+/v[0-1](\\.[0-9]+)*/?$' },
    { format: 'date-time', minLength: 25, maxLength: 25 },
    { format: 'time', minLength: 14, maxLength: 14 },
    { pattern: '^\\S+@\\S+$', format: 'email' },
    { pattern: '\\.org$', format: 'email' },
    { pattern: '^https://', format: 'uri', maxLength: 40 },
    { format: 'email', maxLength: 6 },
    { format: 'email', minLength: 60 },
    { format: 'hostname', maxLength: 5 },
    { format: 'uri', maxLength: 4 },
    { format: 'uri', minLength: 80 },
    { format: 'json-pointer', minLength: 50 },
    { format: 'json-pointer', maxLength: 2 },
    { format: 'byte', minLength: 30, maxLength: 40 },
    { format: 'date-time', minLength: 20, maxLength: 20 },
    { format: 'colour', minLength: 5 },
  ])('keeps to %j', (schema) => {
    fittingValuesOf({ type: 'string', ...schema })
  })

  it('varies', () => {
    expect(new Set(valuesOf({ type: 'string' }, 50)).size).toBeGreaterThan(45)
    expect(new Set(valuesOf({ type: 'string', pattern: '^[A-Z]{2}\\d{4}$' }, 50)).size).toBeGreaterThan(45)
  })

  it('never ends a cut text with a space', () => {
    for (const text of valuesOf<string>({ type: 'string', maxLength: 6 }, 100))
      expect(text).toBe(text.trimEnd())
  })

  it('gives its last attempt where nothing fits', () => {
    expect(valuesOf({ type: 'string', format: 'email', maxLength: 2 }, 1)).toEqual([
      expect.stringContaining('@'),
    ])
    expect(valuesOf({ type: 'string', pattern: '^(?<=x)y$' }, 1)).toEqual([expect.any(String)])
  })
})

const names = contentStream(1, 'names')
const textsOf = (field: string, model = 'Thing'): string[] => {
  const draw = textByName({ model, field })
  return Array.from({ length: 30 }, (_, index) => draw?.(names.child(index)) ?? '')
}

describe('textByName', () => {
  it.for<[string, RegExp]>([
    ['email', /^[a-z0-9]+\.[a-z0-9]+@example\.(com|org|net)$/],
    ['user.work_email', /@example\./],
    ['emails[]', /@example\./],
    ['first_name', /^\p{Lu}[\p{L}' .-]+$/u],
    ['lastName', /^\p{Lu}[\p{L}' .-]+$/u],
    ['full-name', /^\p{Lu}\S+ \p{Lu}/u],
    ['username', /^[a-z]+\d+$/],
    ['city', /^\p{Lu}/u],
    ['billing_city', /^\p{Lu}/u],
    ['countryCode', /^[A-Z]{2}$/],
    ['zip', /^\d{5}$/],
    ['phone', /^\+1-555-01\d\d-\d{4}$/],
    ['id', /^[0-9a-f-]{36}$/],
    ['customer_id', /^[0-9a-f-]{36}$/],
    ['created_at', /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
    ['updatedAt', /^20\d\d-\d\d-\d\dT/],
    ['due_date', /^20\d\d-\d\d-\d\d$/],
    ['date', /^20\d\d-\d\d-\d\d$/],
    ['dateOfBirth', /^(19[5-9]\d|200[0-5])-\d\d-\d\d$/],
    ['website', /^https:\/\//],
    ['avatar_url', /^https:\/\/images\.example\.com\//],
    ['profile_url', /^https:\/\//],
    ['description', /^\p{Lu}.*\.$/u],
    ['title', /^\p{Lu}[^.]*$/u],
    ['company', / (Ltd|Inc|Group|and Sons)$/],
    ['price_currency', /^/],
    ['currency', /^[A-Z]{3}$/],
    ['color', /^\w/],
    ['ip', /^\d+\.\d+\.\d+\.\d+$/],
    ['slug', /^[a-z0-9]+-[a-z0-9]+$/],
    ['status', /^(active|pending|inactive|archived)$/],
    ['sku', /^[0-9A-F]{8}$/],
    ['version', /^\d+\.\d+\.\d+$/],
    ['sha', /^[0-9a-f]{40}$/],
    ['fileName', /^[a-z0-9-]+\.(txt|png|pdf|csv)$/],
    ['street', /^\d+ /],
  ])('draws for %s texts like %s', ([field, expression]) => {
    for (const text of textsOf(field)) if (text !== '') expect(text).toMatch(expression)
  })

  it.for<[string, RegExp]>([
    ['Product', /^\p{Lu}\S+ \S+ \p{Lu}/u],
    ['Company', / (Ltd|Inc|Group|and Sons)$/],
    ['User', /^\p{Lu}\S* \p{Lu}/u],
    ['Repository', /^[a-z0-9]+-[a-z0-9]+$/],
    ['Thing', /^\p{Lu}\S* \p{Lu}/u],
  ])('draws for the name of a %s texts like %s', ([model, expression]) => {
    for (const text of textsOf('name', model)) expect(text).toMatch(expression)
  })

  it('knows no text for other names', () => {
    expect(textByName({ model: 'Thing', field: 'flurb' })).toBeUndefined()
    expect(textByName({ model: 'Thing', field: '' })).toBeUndefined()
  })

  it('draws days that there are', () => {
    const findErrors = createValidator({ type: 'string', format: 'date' })
    for (let index = 0; index < 2000; index++) {
      expect(findErrors(textByName({ model: '', field: 'birthday' })?.(names.child(index)))).toEqual([])
    }
  })

  it('gives way to the constraints of a field', () => {
    const properties = {
      email: { type: 'string', maxLength: 10 },
      first_name: { type: 'string', minLength: 20 },
      city: { type: 'string', pattern: '^[A-Z]{3}$' },
      id: { type: 'string', pattern: '^u_[0-9]{6}$' },
      created_at: { type: 'string', format: 'date' },
      status: { enum: ['open', 'closed'] },
      price: { type: 'number', minimum: 1e6 },
      title: { type: 'integer' },
    }
    fittingValuesOf({ type: 'object', required: Object.keys(properties), properties }, 50)
  })
})

describe('wordsOf', () => {
  it('draws two to four words', () => {
    for (let index = 0; index < 30; index++)
      expect(wordsOf(names.child(index))).toMatch(/^\p{L}+( \p{L}+){1,3}$/u)
  })
})

const FORMATS = [
  ...['date-time', 'iso-date-time', 'date', 'time', 'iso-time', 'duration', 'email', 'idn-email', 'hostname'],
  ...['idn-hostname', 'ipv4', 'ipv6', 'uri', 'url', 'iri', 'uri-reference', 'iri-reference', 'uri-template'],
  ...['uuid', 'json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer', 'regex', 'byte'],
  ...['binary', 'password'],
]
const formats = contentStream(1, 'formats')
const textsOfFormat = (draw: ReturnType<typeof textOfFormat>): string[] =>
  Array.from({ length: 100 }, (_, index) => draw?.(formats.child(index)) ?? '')

describe('textOfFormat', () => {
  it.for(FORMATS)('draws valid and varied texts of format %s', (format) => {
    const findErrors = createValidator({ type: 'string', format })
    const texts = textsOfFormat(textOfFormat(format))
    expect(texts.filter((text) => findErrors(text).length > 0)).toEqual([])
    expect(new Set(texts).size).toBeGreaterThan(20)
  })

  it('draws nothing of a format it does not know', () => {
    expect(textOfFormat('colour')).toBeUndefined()
  })

  it.for<[string, RegExp]>([
    ['email', /^[a-z0-9]+\.[a-z0-9]+@example\.(com|org|net)$/],
    ['uri', /^https:\/\/[a-z0-9]+\.example\.(com|org|net)\//],
    ['ipv4', /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/],
  ])('keeps texts of format %s to what is kept for examples', ([format, expression]) => {
    for (const text of textsOfFormat(textOfFormat(format))) expect(text).toMatch(expression)
  })
})

describe('otherTextsOfFormat', () => {
  it.for(FORMATS)('draws valid texts of format %s, of other lengths than usual', (format) => {
    const findErrors = createValidator({ type: 'string', format })
    const usual = new Set(textsOfFormat(textOfFormat(format)).map((text) => text.length))
    for (const draw of otherTextsOfFormat(format)) {
      const texts = textsOfFormat(draw)
      expect(texts.filter((text) => findErrors(text).length > 0)).toEqual([])
      expect(texts.some((text) => !usual.has(text.length))).toBe(true)
    }
  })
})

describe('uuid', () => {
  it('is of version 4', () => {
    for (let index = 0; index < 50; index++) {
      expect(uuid(formats.child(index))).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
    }
  })
})

describe('dateTime', () => {
  it('lies between 2020 and the end of 2025', () => {
    for (const text of textsOfFormat(dateTime)) expect(text >= '2020' && text < '2026').toBe(true)
  })
})

describe('hex', () => {
  it('has as many digits as it must', () => {
    expect(hex(formats, 3)).toMatch(/^[0-9a-f]{3}$/)
  })
})

describe('asciiOf', () => {
  it('keeps letters and digits', () => {
    expect(['José María', "O'Neil 2", '東京'].map(asciiOf)).toEqual(['josemaria', 'oneil2', 'x'])
  })
})

const patterns = contentStream(1, 'patterns')
const matching = (pattern: string, least = 0, most = Infinity): string[] => {
  const draw = compilePattern(pattern, { least, most })
  return Array.from({ length: 30 }, (_, index) => draw(patterns.child(index)))
}

describe('compilePattern', () => {
  it.for([
    ...['^[a-z]+$', '^(foo|ba[rz])*$', '^\\d{3}-\\w{2,4}$', '^[^a-z]{5}$'],
    ...['^\\p{Lu}\\p{Letter}{3}[\\p{Nd}_]$', '^\\p{Script=Latin}\\p{P}\\p{Zs}$', '^[äöü]{2}$'],
    ...['^[^\\x20-\\x7e]{2}$', '^[\\u00e0-\\u00ef]\\u00fc\\x2d$', '^(?<a>\\d)(?<b>[a-z])\\k<b>\\k<a>$'],
    ...['^(\\d)[(](?:x)\\1$', '^\\(\\[\\]\\\\$', ''],
  ])('draws from %s', (pattern) => {
    const expression = new RegExp(pattern, 'u')
    expect(matching(pattern).filter((text) => !expression.test(text))).toEqual([])
  })

  it.for<[string, number, number]>([
    ['^[a-z]+$', 20, 20],
    ['^[a-z]+$', 0, 1],
    ['^[a-z]*-[a-z]*$', 31, 32],
    ['^x[a-z]+y$', 100, 100],
    ['^\\w+@\\w+\\.com$', 0, 8],
    ['^(ab|c)+$', 40, 42],
    ['^[a-z]{2,30}$', 28, 30],
  ])('keeps texts of %s to %d to %d letters', ([pattern, least, most]) => {
    for (const text of matching(pattern, least, most)) {
      expect(text).toMatch(new RegExp(pattern))
      expect(text.length).toBeGreaterThanOrEqual(least)
      expect(text.length).toBeLessThanOrEqual(most)
    }
  })

  it('draws the same from the same patterns, whatever was drawn before', () => {
    const bounds = { least: 20, most: 22 }
    const [used, fresh] = [compilePattern('^[a-z]+$', bounds), compilePattern('^[a-z]+$', bounds)]
    for (let index = 0; index < 20; index++) used(patterns.child(index))
    expect(used(patterns.child(99))).toBe(fresh(patterns.child(99)))
  })

  it('refuses what it cannot read', () => {
    expect(() => compilePattern('^(?<=x)y$', { least: 0, most: 5 })).toThrow(SyntaxError)
    expect(() => compilePattern('(', { least: 0, most: 5 })).toThrow(SyntaxError)
  })
})

describe('isWithin', () => {
  it('counts code points', () => {
    expect(isWithin('😀😀', { least: 2, most: 2 })).toBe(true)
    expect(isWithin('😀', { least: 2, most: 5 })).toBe(false)
    expect(isWithin('ab', { least: 0, most: 1 })).toBe(false)
    expect(isWithin('', { least: 0, most: Infinity })).toBe(true)
  })
})

const LISTS =
  'firstName lastName word noun adjective city country countryCode state street language timeZone color department ' +
  'product productAdjective material companyNoun companyAdjective jobDescriptor jobArea jobType genre animal unit'

describe('pickWord', () => {
  it.for(LISTS.split(' ') as WordList[])('picks from many words of the kind %s', (list) => {
    const stream = contentStream(1, list)
    const words = new Set(Array.from({ length: 100 }, (_, index) => pickWord(list, stream.child(index))))
    expect(words.size).toBeGreaterThan(5)
    expect([...words].every((word) => typeof word === 'string' && word !== '')).toBe(true)
  })
})
