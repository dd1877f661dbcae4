// npm run schema-suite -- FOLDER: the JSON Schema Test Suite judges what tests values and what makes them.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Validator } from '@cfworker/json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { compileGenerator } from '../../src/engine/schema/compile.ts'
import { createChecker } from '../../src/engine/schema/checker.ts'
import { contentStream } from '../../src/engine/random.ts'
import type { Schema, SchemaOrBoolean } from '../../src/engine/schema/schema.ts'

interface Group {
  readonly description: string
  readonly schema: SchemaOrBoolean
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean', default: false } },
})
const [folder] = positionals
if (folder === undefined) {
  process.stdout.write(
    'npm run schema-suite -- [--show] tests/draft2020-12 of json-schema-org/JSON-Schema-Test-Suite\n',
  )
  process.exit(2)
}

const VALUES = 20
/** The name of schemas without one. */
const NAME = 'https://suite.example/schema'
// What other documents are for, and what assertions of formats are, is not what a description means by them.
const LEFT_OUT = /^(refRemote|vocabulary|cross-draft|format|content|default|no-schema)\.json$/
let [groups, tests, made] = [0, 0, 0]
const wrong: string[] = []
const refused: string[] = []
/** What the validator of the npm package ajv gets wrong by itself. */
const ofValidator: string[] = []

for (const place of [folder, join(folder, 'optional')]) {
  for (const file of readdirSync(place).filter((name) => name.endsWith('.json') && !LEFT_OUT.test(name))) {
    const name = `${place === folder ? '' : 'optional/'}${basename(file, '.json')}`
    for (const group of JSON.parse(readFileSync(join(place, file), 'utf8')) as Group[]) check(name, group)
  }
}
process.stdout.write([...refused, ...ofValidator, ...wrong].map((line) => `${line}\n`).join(''))
process.stdout.write(
  `${groups} schemas, ${tests} values tested, ${made} made; ${wrong.length} wrong, ${ofValidator.length} as ajv has them wrong, ${refused.length} not made\n`,
)
process.exitCode = wrong.length > 0 ? 1 : 0

function check(file: string, { description, schema, tests: cases }: Group): void {
  const name = `${file}: ${description}`
  const model: Schema = typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema
  const shown = values.show ? ` ${JSON.stringify(schema)}` : ''
  groups++
  try {
    const checker = createChecker(model)
    for (const each of cases) {
      tests++
      const found = checker.fits(each.data)
      if (found !== each.valid)
        (takenBy(model, each.data) === each.valid ? wrong : ofValidator).push(
          `checker: ${name}: ${each.description}: ${JSON.stringify(each.data)} ${found ? 'fits' : 'does not fit'}${shown}`,
        )
    }
  } catch (error) {
    const list = takenBy(model, cases[0]?.data) === undefined ? ofValidator : wrong
    list.push(`checker: ${name}: ${(error as Error).message}${shown}`)
    return
  }
  try {
    const generate = compileGenerator(model)
    const validate = judgeOf(model)
    for (let index = 0; index < VALUES; index++) {
      const value = generate(contentStream(index, name), { route: 'suite', input: {}, headers: {}, depth: 0 })
      made++
      if (validate(value)) continue
      wrong.push(`generator: ${name}: ${JSON.stringify(value)}${shown}`)
      return
    }
  } catch (error) {
    const isEmpty = cases.every(({ valid }) => !valid)
    const line = `generator: ${name}: ${(error as Error).message}`
    if (isEmpty) refused.push(line)
    else wrong.push(line + shown)
  }
}

/** Whether ajv by itself takes a value; `undefined` where it cannot compile the schema. */
function takenBy(model: Schema, value: unknown): boolean | undefined {
  const ajv = formats.default(new Ajv2020({ strict: false, logger: false }))
  return attempt(() => ajv.validate(model, value))
}

// Of two validators each has faults of its own, so that what either takes is not wrong.
function judgeOf(model: Schema): (value: unknown) => boolean {
  const ajv = formats.default(new Ajv2020({ strict: false, logger: false }))
  const named = { ...model, $id: typeof model['$id'] === 'string' ? model['$id'] : NAME }
  const validate = attempt(() => ajv.compile({ ...named }))
  const second = new Validator(named, '2020-12', false)
  return (value) =>
    attempt(() => validate?.(value) === true) === true || attempt(() => second.validate(value).valid) === true
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
