import { describe, expect, it } from 'vitest'
import { textByName, wordsOf } from '../../../src/engine/schema/text-by-name.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { createValidator, fittingValuesOf } from './generating.ts'

const stream = contentStream(1, 'names')
const draws = (field: string, model = 'Thing'): string[] => {
  const draw = textByName({ model, field })
  return Array.from({ length: 30 }, (_, index) => draw?.(stream.child(index)) ?? '')
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
    for (const text of draws(field)) if (text !== '') expect(text).toMatch(expression)
  })

  it.for<[string, RegExp]>([
    ['Product', /^\p{Lu}\S+ \S+ \p{Lu}/u],
    ['Company', / (Ltd|Inc|Group|and Sons)$/],
    ['User', /^\p{Lu}\S* \p{Lu}/u],
    ['Repository', /^[a-z0-9]+-[a-z0-9]+$/],
    ['Thing', /^\p{Lu}\S* \p{Lu}/u],
  ])('draws for the name of a %s texts like %s', ([model, expression]) => {
    for (const text of draws('name', model)) expect(text).toMatch(expression)
  })

  it('knows no text for other names', () => {
    expect(textByName({ model: 'Thing', field: 'flurb' })).toBeUndefined()
    expect(textByName({ model: 'Thing', field: '' })).toBeUndefined()
  })

  it('draws days that there are', () => {
    const findErrors = createValidator({ type: 'string', format: 'date' })
    for (let index = 0; index < 2000; index++) {
      expect(findErrors(textByName({ model: '', field: 'birthday' })?.(stream.child(index)))).toEqual([])
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
      expect(wordsOf(stream.child(index))).toMatch(/^\p{L}+( \p{L}+){1,3}$/u)
  })
})
