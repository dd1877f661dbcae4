import { snakeCase } from '../data-files/words.ts'
import { TEXT, type Form } from './option.ts'
import { findWhenProblem } from '../routing/check-when.ts'
import { compileWhen, OWN_VALUE, PLACES, type When } from '../routing/condition.ts'

const NAMED = PLACES.filter((place) => !OWN_VALUE.includes(place))
const CONDITION = {
  type: 'object',
  minProperties: 1,
  maxProperties: 2,
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(PLACES.map((place) => [snakeCase(place), TEXT.schema])),
    equals: { type: ['string', 'number', 'boolean', 'null'] },
  },
  oneOf: [
    ...NAMED.map((place) => ({ required: [place] })),
    ...OWN_VALUE.map((place) => ({ required: [snakeCase(place)], maxProperties: 1 })),
  ],
}
/** Conditions on requests. */
export const WHEN: Form = {
  check: findWhenProblem,
  schema: { anyOf: [CONDITION, { type: 'array', minItems: 1, items: CONDITION }] },
}

/** Conditions on the heads of requests alone. */
export const WHEN_OF_HEAD: Form = {
  ...WHEN,
  check: (value) =>
    findWhenProblem(value) ??
    (compileWhen(value as When).some(({ isInBody }) => isInBody)
      ? 'conditions on the head of a request, such as { header: X-Api-Key }'
      : undefined),
}

/** Conditions as data files have them, which name places in their own way. */
export function whenData(when: When): unknown {
  const conditions = [when]
    .flat()
    .map((each) => Object.fromEntries(Object.entries(each).map(([key, part]) => [snakeCase(key), part])))
  return conditions.length === 1 ? conditions[0] : conditions
}
