import type { ErrorAnswer } from '../../engine/error-answer.ts'
import type { Caller } from '../../engine/route-options.ts'
import { isPatchDocument } from '../../collections/patch-document.ts'
import { compareTexts } from '../../grouping.ts'
import { isOwnHeader } from './answer-headers.ts'
import { isOfCaller, isRefused } from './callers.ts'
import type { CallModel } from '../../engine/call-model.ts'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import type { Schema } from '../../engine/schema/schema.ts'
import { isOpenField } from './field-limits.ts'
import { fieldIssues, isInvalid, namedIssues } from './field-issues.ts'
import type { FieldIssue } from './refused-values.ts'
import { type FieldMessage, openIssues } from './field-messages.ts'
import type { Conflicts } from './conflicts.ts'
import type { NeededItems } from './needed-items.ts'
import { itemValues, nounsOf, opened, refusedValue, type Said, takenValues } from './opened-text.ts'
import { hasWrongToken } from './page-tokens.ts'
import type { Paging } from './paging.ts'
import type { Item } from './item-place.ts'
import { isJson, pathOf, type Sample } from './sample.ts'
import { isTaken, type Reason } from './taken.ts'
import { unknownField } from './unknown-fields.ts'

/** A route, as far as it refuses. */
export interface Refusing {
  readonly host: string | undefined
  readonly path: string
  readonly isFailure: boolean
  readonly method: string
  readonly parent?: string | undefined
  readonly about?: string | undefined
  readonly calls?: CallModel | undefined
  readonly paging?: Pick<Paging, 'parameters'> | undefined
  readonly forbids: readonly Caller[]
  readonly wrongIn: (sample: Sample) => FieldIssue | undefined
  readonly needed?: Pick<NeededItems, 'lackedBy'> | undefined
  readonly conflicts?: Pick<Conflicts, 'codes'> | undefined
  /** What items were for which the route refused to change them, by exchange. */
  readonly refused?: ReadonlyMap<number, Item> | undefined
  readonly reasons?: ReadonlyMap<number, Reason> | undefined
  readonly input?: Schema | undefined
  readonly samples: readonly Sample[]
}

/** A place of a request's head that must have a value. */
export type Required = { readonly header: string } | { readonly query: string }

/** Whether a request has a value there. */
export function has({ headers, query }: Sample, place: Required): boolean {
  return 'header' in place ? (headers[place.header] ?? '') !== '' : query[place.query] !== undefined
}

/** The form of an error's answer, as a text that is equal for equal forms. */
export interface ErrorForm {
  readonly route: Refusing
  readonly code: string
  readonly form: string
  /** The same, where the parameters of its route's path stand for what is repeated of them, too. */
  readonly ownForm: string
  /** What is wrong with the input first, where it is that. */
  readonly issue: string | undefined
  /** What is said to be wrong with fields, by what that is. */
  readonly messages: readonly FieldMessage[]
}

/** What is known of a host's routes. */
export interface Known {
  readonly required: Required | undefined
  /** Those of paths that the server has no route for. */
  readonly unknown: ReadonlySet<Refusing>
  /** What requests were refused as for who sent them. */
  readonly refusedAs: ReadonlyMap<number, string>
}

/** Paths that were only ever not found, and so were none below or above which something was. */
export function unknownPaths(routes: readonly Refusing[]): ReadonlySet<Refusing> {
  const there = routes.filter(({ isFailure }) => !isFailure).map(({ path }) => path)
  const isNear = (path: string): boolean => {
    const above = path.slice(0, path.lastIndexOf('/'))
    return there.some((other) => other === path || other === above || other.startsWith(`${path}/`))
  }
  return new Set(
    routes.filter(
      ({ isFailure, path, samples }) =>
        isFailure && !path.includes('{') && samples.every(({ status }) => status === 404) && !isNear(path),
    ),
  )
}

/** The form of a refusal's answer; `undefined` where it is none of the gateway's own errors. */
export function formOf(sample: Sample, route: Refusing, known: Known): ErrorForm | undefined {
  const refusal = refusalOf(sample, route, known)
  if (refusal === undefined || sample.binary !== undefined || sample.isCut) return undefined
  const { code, issues } = refusal
  const inState = route.refused?.get(sample.index)
  const { status, responseHeaders } = sample
  const text = textOfAnswer(sample.response)
  const { field } = issues.find((each) => speaksOf(text, each.field)) ?? {}
  const { open: response, messages } = openIssues(sample.response, issues)
  const values: readonly Said[] = [
    { name: 'path', value: pathOf(sample) },
    ...(route.path.includes('{') ? [{ name: 'id', value: lastParameter(sample, route) }] : []),
    ...(known.unknown.has(route)
      ? [
          { name: 'method', value: sample.method },
          { name: 'id', value: sample.segments.at(-1) ?? '' },
        ]
      : nounsOf(route)),
    ...(field === undefined ? [] : [{ name: 'field', value: field }]),
    ...issues.flatMap((issue) => refusedValue(issue, text)),
    ...(inState === undefined
      ? code === 'SIM_ITEM_EXISTS'
        ? takenValues(sample, text)
        : []
      : itemValues(inState)),
  ]
  const formWith = (said: readonly Said[]): string => {
    const headers = Object.entries(responseHeaders)
      .filter(([name]) => SENT.test(name) || isOwnHeader(name))
      .toSorted(([a], [b]) => compareTexts(a, b))
      .map(([name, value]) => [name, name === 'content-type' ? value : opened(value, said)])
    const written =
      response === undefined
        ? {}
        : isJson(sample)
          ? { body: opened(response, said) }
          : { text: opened(response, said) as string }
    const form: ErrorAnswer = {
      status,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...written,
    }
    return JSON.stringify(form)
  }
  return {
    ...{ route, code, form: formWith(values), ownForm: formWith([...values, ...parentsIn(sample, route)]) },
    ...{ issue: refusal.issue ?? issues[0]?.type, messages },
  }
}

const SENT = /^(content-type|www-authenticate)$/

/** Which of the gateway's own errors a failure is, and which fields of the request are wrong. */
function refusalOf(
  sample: Sample,
  route: Refusing,
  { required, unknown, refusedAs }: Known,
):
  | {
      readonly code: string
      readonly issues: readonly FieldIssue[]
      /** What is wrong with the body, where that is not said of its fields. */
      readonly issue?: string
    }
  | undefined {
  const known = route.conflicts?.codes.get(sample.index) ?? refusedAs.get(sample.index) ?? sample.refusedAs
  const [own, issue] = known?.split('/') ?? []
  if (own !== undefined) return { code: own, issues: [], ...(issue !== undefined && { issue }) }
  const reason = route.reasons?.get(sample.index)
  if (route.refused?.has(sample.index) === true)
    return { code: 'SIM_ITEM_EXISTS', issues: [], ...(reason !== undefined && { issue: reason }) }
  const lacked = route.needed?.lackedBy(sample)
  if (lacked !== undefined) return { code: 'SIM_INPUT_INVALID', issues: [lacked] }
  if (isRefused(sample) && !isInvalid(sample)) {
    const isLacking = required !== undefined && !has(sample, required)
    if (isLacking) return { code: 'SIM_UNAUTHORIZED', issues: [] }
    return isOfCaller(sample, route.forbids) ? { code: 'SIM_FORBIDDEN', issues: [] } : undefined
  }
  if (sample.isMalformed === true && (isInvalid(sample) || isUnread(sample)))
    return { code: 'SIM_INPUT_INVALID', issues: [], issue: 'json_invalid' }
  if (unknown.has(route)) return { code: 'SIM_ROUTE_NOT_FOUND', issues: [] }
  const isOfItem =
    /\}[^/]*$/.test(route.path) || route.parent !== undefined || route.about?.endsWith('}') === true
  if ((sample.status === 404 || sample.status === 410) && isOfItem && !route.isFailure)
    return { code: 'SIM_ITEM_NOT_FOUND', issues: [] }
  if (sample.status === 412) return { code: 'SIM_PRECONDITION_FAILED', issues: [] }
  if (isPatchDocument(sample.body) && (sample.status === 409 || isInvalid(sample)))
    return { code: 'SIM_INPUT_INVALID', issues: [], issue: 'patch' }
  if (isTaken(sample)) return { code: 'SIM_ITEM_EXISTS', issues: [] }
  if (!isInvalid(sample)) return undefined
  if (hasWrongToken(sample, route.paging?.parameters)) return { code: 'SIM_PAGE_TOKEN_INVALID', issues: [] }
  const ofPath = route.wrongIn(sample) ?? unknownField(sample, route.samples)
  const issues =
    ofPath === undefined
      ? namedIssues(fieldIssues(sample, route.samples), sample.response).map((issue) =>
          issue.type === 'enum' && isOpenField(route.input, issue.field)
            ? { ...issue, type: 'not' as const }
            : issue,
        )
      : [ofPath]
  return issues.length === 0 ? undefined : { code: 'SIM_INPUT_INVALID', issues }
}

// Handlers of errors that take all for the server's own say that it could not read a body.
function isUnread({ status, response }: Sample): boolean {
  return status === 500 && /\bJSON\b|\bpars(e|ing)\b|unexpected (token|end)/i.test(textOfAnswer(response))
}

/** Shorter values are met by chance. */
const MIN_PARAMETER = 3

// What the parameters of a path are before the last, which `{id}` stands for.
function parentsIn({ segments }: Sample, { path }: Refusing): readonly Said[] {
  const named = path.split('/').flatMap((part, at): Said[] => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? [] : [{ name, value: segments[at - 1] ?? '' }]
  })
  return named.slice(0, -1).filter(({ value }) => value.length >= MIN_PARAMETER)
}

function lastParameter({ segments }: Sample, { path }: Refusing): string {
  return segments[path.split('/').findLastIndex((part) => part.includes('{')) - 1] ?? ''
}
