import { LINK } from '../../engine/schema/schema.ts'
import type { FixtureAnswers } from './fixture-answers.ts'

/** A JSON file of recorded answers, and the link that takes a route's answer from it. */
export interface FixtureData {
  readonly document: unknown
  readonly link: Readonly<Record<string, unknown>>
}

/** Answers as a fixture file: the answer itself, a list of answers that name their value, or answers by value. */
export function fixtureData({ variants, field }: FixtureAnswers, path: string): FixtureData {
  const { by, bodies, usual } = variants
  if (by === undefined)
    return { document: usual, link: { [LINK]: { fromJsonFixture: { path, pointer: '' } } } }
  if (field !== undefined) {
    const where = { [field]: by.name }
    return {
      document: [...bodies.values()],
      link: { [LINK]: { fromNestedFixture: { path, pointer: '', where } } },
    }
  }
  const usualName = [...bodies].find(([, body]) => body === usual)?.[0]
  const name = usualName ?? freeName(bodies)
  const document = { ...(usualName === undefined && { [name]: usual }), ...Object.fromEntries(bodies) }
  const pointers = [...bodies.keys()].map((value) => [value, escaped(value)])
  return {
    document,
    link: {
      [LINK]: {
        fromJsonFixture: {
          path,
          pointer: escaped(name),
          variantFrom: by.name,
          variants: Object.fromEntries(pointers) as Record<string, string>,
        },
      },
    },
  }
}

// The answer to requests without the field.
function freeName(bodies: ReadonlyMap<string, unknown>): string {
  let name = 'default'
  while (bodies.has(name)) name += '_'
  return name
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
