import { expect, it } from 'vitest'
import { withTypedForms } from '../../../src/recording/inference/typed-forms.ts'
import { sample } from './samples.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

it('reads as numbers and booleans what answers show as such, and leaves texts', () => {
  const [first, second] = withTypedForms([
    sample(
      0,
      'POST /charges',
      {
        body: {
          amount: '1200',
          code: '077',
          phone: '55512',
          card: { live: 'true' },
          note: '5',
          capture: 'false',
        },
        response: { data: { amount: 1200, phone: '55512', card: { live: true }, note: 5 } },
      },
      FORM,
    ),
    sample(1, 'POST /charges', { body: { amount: '20', note: 'x' }, status: 400 }, FORM),
  ])
  expect(first?.body).toEqual({
    ...{ amount: 1200, code: '077', phone: '55512', card: { live: true } },
    // Some requests have it as a text, and of this no answer says anything.
    ...{ note: '5', capture: 'false' },
  })
  expect(second?.body).toEqual({ amount: 20, note: 'x' })
})
