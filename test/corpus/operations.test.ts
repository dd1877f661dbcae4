import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSim, type SimServer } from '../flow/sim-process.ts'
import { createAsking, forAll, problemOf, type Asking } from './ask.ts'
import { DESCRIPTIONS, fileOf } from './descriptions.ts'
import { operationsOf, type Operation } from './operations.ts'
import { readDocument } from './read-document.ts'
import { createRequests, type Extent } from './request.ts'
import { createSchemas } from './schemas.ts'
import { createValidate, type Validate } from './validator.ts'

interface Way {
  readonly name: string
  readonly extent: Extent
  readonly dynamic?: boolean
  headers?(operation: Operation): Readonly<Record<string, string>>
}

/** The most bytes of an answer whose length nobody asks for. */
const SHORT = 64 * 1024
/** Operations whose own example is longer than that. */
const LONG_EXAMPLES: ReadonlySet<string> = new Set(['GET /emojis'])

const WAYS: readonly Way[] = [
  { name: 'given what it requires', extent: 'required' },
  { name: 'given everything it takes', extent: 'everything' },
  { name: 'with generated answers', extent: 'everything', dynamic: true },
  { name: 'with short generated answers', extent: 'required', dynamic: true },
  {
    name: 'with another type of answer',
    extent: 'required',
    headers: (operation) => ({ accept: lastTypeOf(operation) }),
  },
]

describe.for(DESCRIPTIONS)('$name', (description) => {
  const document = readDocument(description)
  const operations = operationsOf(document)
  const requestOf = createRequests(createSchemas(document, 'request'))
  const fits = createValidate(createSchemas(document, 'response'))
  const checked = { bodies: 0 }
  const validate: Validate = (schema, value) => {
    checked.bodies++
    return fits(schema, value)
  }
  const { unsimulated } = description
  const servers: SimServer[] = []
  const askings: Asking[] = []

  beforeAll(async () => {
    for (const options of [[], ['--dynamic']]) {
      const sim = await startSim(['run', fileOf(description), '--seed', '1', ...options])
      servers.push(sim)
      askings.push(createAsking(sim.url))
    }
  })
  afterAll(async () => {
    await Promise.all(askings.map((asking) => asking.close()))
    await Promise.all(servers.map((sim) => sim.stop()))
  })

  // What is wrong with the answers, by operation.
  const ask = async ({ extent, dynamic = false, headers }: Way): Promise<Record<string, string>> => {
    const asking = askings[dynamic ? 1 : 0] as Asking
    const problems = await forAll(operations, async (operation) => {
      try {
        const answer = await asking.ask(requestOf(operation, extent), headers?.(operation))
        const { length } = answer.body
        if (extent === 'required' && length > SHORT && !LONG_EXAMPLES.has(operation.name))
          return `${length} bytes, though nothing asks for a long answer`
        return problemOf(operation, answer, validate)
      } catch (error) {
        return `cannot be requested: ${(error as Error).message}`
      }
    })
    const failed = operations.map(({ name }, index) => [name, problems[index]] as const)
    return Object.fromEntries(failed.filter((each): each is [string, string] => each[1] !== undefined))
  }

  it('is as large as ever', () => {
    expect(operations).toHaveLength(description.operations)
  })

  it.for(WAYS)('answers every operation as it declares, $name', async (way) => {
    checked.bodies = 0
    const problems = await ask(way)
    const passed = operations.length - Object.keys(problems).length
    process.stdout.write(
      `${description.name}, ${way.name}: ${passed} of ${operations.length} operations passed, ${checked.bodies} with a JSON body\n`,
    )
    const unexpected = Object.entries(problems).filter(([name]) => !(name in unsimulated))
    expect(Object.fromEntries(unexpected)).toEqual({})
    // What is listed is listed for as long as it is true.
    expect(Object.keys(problems).toSorted()).toEqual(Object.keys(unsimulated).toSorted())
  })
})

// Of the success that is answered by default, so that it differs from what any client gets.
function lastTypeOf({ responses }: Operation): string {
  const success = [...responses.keys()].filter((status) => status.startsWith('2')).toSorted()[0] ?? 'default'
  return [...(responses.get(success)?.keys() ?? [])].at(-1) ?? '*/*'
}
