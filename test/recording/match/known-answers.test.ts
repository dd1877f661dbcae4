import { expect, it } from 'vitest'
import { createKnownAnswers, requestKey } from '../../../src/recording/match/known-answers.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { createCounters } from '../../../src/state/counters.ts'

it('keeps an answer ready once it is given again', async () => {
  const redactor = createRedactor()
  const answers = [{ when: { url: '/news' }, status: 200, text: 'Rain' }]
  const known = await createKnownAnswers(answers, { method: 'GET', redactor })
  const key = await requestKey({ method: 'GET', url: '/news', contentType: '' }, Buffer.alloc(0), redactor)
  const turns = createCounters()
  const [first, second, third] = [1, 2, 3].map(() => known.find(key, {}, '', turns))
  expect(first).toEqual({ status: 200, headers: [], body: Buffer.from('Rain') })
  expect(second).toEqual(first)
  expect(second).not.toBe(first)
  expect(third).toBe(second)
})
