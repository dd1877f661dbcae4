import { isObject, LINK, type Schema } from '../engine/schema/schema.ts'
import { copySchema } from './copy-schema.ts'
import { createScope, type Located } from './scope.ts'

const FIXTURE_LINKS = new Set(['fromJsonFixture', 'fromNestedFixture'])

/** Whether a model holds, at any depth, a fixture link whose miss is an error. */
export function holdsStrictFixture(model: Schema | undefined): boolean {
  const seen = new Set<Located>()
  const visit = (located: Located): boolean => {
    if (seen.has(located)) return false
    seen.add(located)
    const elsewhere: Located[] = []
    const { schema, scope } = located
    const own = copySchema(schema, {
      reference: (reference) => String(elsewhere.push(scope.find(reference))),
      named: (part) => ({ $ref: String(elsewhere.push(scope.at(part))) }),
    })
    return holdsStrict(own) || elsewhere.some(visit)
  }
  return model !== undefined && visit(createScope(model).at(model))
}

function holdsStrict(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return (
    (!Array.isArray(value) && isStrict((value as Schema)[LINK])) || Object.values(value).some(holdsStrict)
  )
}

// The link of a `whenInput` lies within its arguments.
function isStrict(link: unknown): boolean {
  if (!isObject(link)) return false
  return Object.entries(link).some(
    ([name, data]) => (FIXTURE_LINKS.has(name) && asksStrict(data)) || isStrict(data),
  )
}

function asksStrict(data: unknown): boolean {
  const parts = Array.isArray(data) ? data : [data]
  return parts.some((part) => isObject(part) && part['strict'] === true)
}
