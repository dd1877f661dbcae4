import { problemOfBody, type Answer } from './ask.ts'
import { isJson, textOf } from './json.ts'
import type { Operation, Parameter } from './operations.ts'
import type { Validate } from './validator.ts'

/** What is wrong with an answer: the kind, by which many are counted, and what was said. */
export interface Problem {
  readonly cause: string
  readonly detail: string
}

/** Validators by name; an answer is valid where all of them say so. */
export type Judges = Readonly<Record<string, Validate>>

/** A declared response, and the status that an answer to a request for it has. */
export interface Wanted {
  /** As the description has it: a status, a class of them, or `default`. */
  readonly rule: string
  readonly status: number
}

/** What is wrong with an answer by the response that was wanted; undefined where nothing is. */
export function findProblem(
  operation: Operation,
  { rule, status }: Wanted,
  answer: Answer,
  judges: Judges,
): Problem | undefined {
  const said = answer.body.toString('utf8')
  if (answer.status !== status)
    return { cause: `${answer.status} ${refusalOf(said)}`, detail: said.slice(0, 600) }
  if (operation.method !== 'HEAD') {
    for (const [name, validate] of Object.entries(judges)) {
      const found = problemOfBody(operation.responses.get(rule) ?? new Map(), answer, said, validate)
      if (found !== undefined)
        return { cause: `body: ${name}: ${kindOf(found)}`, detail: found.slice(0, 600) }
    }
  } else if (said !== '') return { cause: 'body: of HEAD', detail: said.slice(0, 100) }
  for (const header of operation.headers.get(rule) ?? []) {
    const text = answer.headers[header.name.toLowerCase()]
    if (text === undefined && !header.required) continue
    if (text === undefined) return { cause: 'header: a required one is not there', detail: header.name }
    for (const [name, validate] of Object.entries(judges)) {
      const found = problemOfHeader(header, String(text), validate)
      if (found !== undefined)
        return {
          cause: `header: ${name}: ${kindOf(found)}`,
          detail: `${header.name}: ${textOf(text)}: ${found}`,
        }
    }
  }
  return undefined
}

// By its code, and by what of the request is refused, in sim's own words.
function refusalOf(said: string): string {
  try {
    const body = JSON.parse(said) as unknown
    if (!isJson(body)) return 'of another form'
    const { code, detail } = body
    const [first] = Array.isArray(detail) ? (detail as unknown[]) : []
    if (isJson(first)) {
      const [place] = Array.isArray(first['loc']) ? (first['loc'] as unknown[]) : []
      return `${textOf(code)} ${textOf(place)} ${textOf(first['type'])}`
    }
    return `${textOf(code)} ${kindOf(textOf(detail))}`
  } catch {
    return 'of another form'
  }
}

const WORDS =
  /fits several members of oneOf|members of oneOf say the same|members of oneOf take whatever fits one of them|must [a-zA-Z ]+|requires itself without end|allows nothing|contradict each other|contradicts itself|no value of enum|allows no value at all|Field required|type \S+ where|is not a valid|a body where none|can't resolve|(?<=\/\S* )[a-zA-Z]+(?=:)|[a-zA-Z]+(?=: (Instance|String|Property|Value|Number|Array|Items|None|False))/

function kindOf(text: string): string {
  return (WORDS.exec(text)?.[0] ?? text.replaceAll(/['"`/#][^ ]*/g, '…').slice(0, 80)).trim()
}

function problemOfHeader(header: Parameter, text: string, validate: Validate): string | undefined {
  if (header.schema === undefined) return undefined
  const forms = formsOf(text)
  const problems = forms.map((value) => validate(header.schema, value))
  return problems.includes(undefined) ? undefined : problems[0]
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

// A header says no type: a text may be a number, true or false, or a list.
function formsOf(text: string): unknown[] {
  const plain = (each: string): unknown[] => [
    each,
    ...(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(each) ? [Number(each)] : []),
    ...(/^(true|false|null|".*"|\{.*\}|\[.*\])$/s.test(each) ? parsed(each) : []),
  ]
  const parts = text.split(',')
  const pairs = parts
    .filter((_, index) => index % 2 === 0)
    .map((name, index) => [name, plain(parts[index * 2 + 1] ?? '').at(-1)])
  return [
    ...plain(text),
    parts,
    parts.map((part) => plain(part).at(-1)),
    Object.fromEntries(pairs) as unknown,
  ]
}
