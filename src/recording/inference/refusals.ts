import { isDeepStrictEqual } from 'node:util'
import type { ErrorAnswer, ErrorAnswers } from '../../engine/error-answer.ts'
import type { Caller } from '../../engine/route-options.ts'
import { isPatchDocument } from '../../collections/patch-document.ts'
import { compareTexts, countEach, groupBy, mostFrequent } from '../../grouping.ts'
import type { When } from '../../routing/condition.ts'
import { isTraitHeader } from '../match/traits.ts'
import type { EtagOption } from '../../engine/etag.ts'
import { isOwnHeader } from './answer-headers.ts'
import { isOfCaller, isRefused } from './callers.ts'
import type { CallModel } from '../../engine/call-model.ts'
import { findEtags, saysTags } from './etags.ts'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import { fieldIssues, isInvalid, namedIssues } from './field-issues.ts'
import type { FieldIssue } from './refused-values.ts'
import { type FieldMessage, messagesOf, openIssues, withMessages } from './field-messages.ts'
import { CONFLICT_CODES, type Conflicts } from './conflicts.ts'
import type { NeededItems } from './needed-items.ts'
import { nounsOf, opened, refusedValue, type Said, takenValues, withNouns } from './opened-text.ts'
import { hasWrongToken } from './page-tokens.ts'
import type { Paging } from './paging.ts'
import { isJson, pathOf, type Sample } from './sample.ts'
import { isTaken } from './taken.ts'
import { unknownField } from './unknown-fields.ts'

/** A route, as far as it refuses. */
interface Refusing {
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
  readonly samples: readonly Sample[]
}

/** What a route refuses, and how. */
export interface Refusals {
  readonly requires?: When | undefined
  readonly etag?: EtagOption | undefined
  readonly errorAnswers?: ErrorAnswers | undefined
}

/**
 * Which requests routes refuse for what their heads lack, and in which form errors are answered: that of the recorded
 * ones, with what they took from their requests left open.
 */
export function findRefusals<Route extends Refusing>(
  routes: readonly Route[],
  all: readonly Sample[],
  refusedAs: ReadonlyMap<number, string> = new Map(),
): ReadonlyMap<Route, Refusals> {
  return new Map(
    [...groupBy(routes, ({ host }) => host).values()].flatMap((own) => refusalsOfHost(own, all, refusedAs)),
  )
}

function refusalsOfHost<Route extends Refusing>(
  routes: readonly Route[],
  all: readonly Sample[],
  refusedAs: ReadonlyMap<number, string>,
): readonly (readonly [Route, Refusals])[] {
  const required = findRequired(routes)
  const etags = findEtags(
    routes.filter(({ calls, method }) => method === 'GET' || !saysTags(calls)),
    all,
  )
  const unknown = unknownPaths(routes)
  const found = routes.flatMap((route) =>
    route.samples.flatMap((sample) => formOf(sample, route, { required, unknown, refusedAs }) ?? []),
  )
  const byCode = groupBy(found, ({ code }) => code)
  return routes.map((route) => {
    const requires = required !== undefined && isGuarded(route, required) ? required : undefined
    const nouns = nounsOf(route)
    const answers = [...byCode].flatMap(([code, all]) => {
      if (route.conflicts === undefined && CONFLICT_CODES.some((each) => each === code)) return []
      const own = all.filter((each) => each.route === route)
      // That something is lacking which others need says nothing of what else is refused.
      const others = all.filter(({ issue }) => issue !== 'not_found')
      const some = [own, others].find((each) => each.length > 0) ?? all
      const answerOf = (forms: readonly ErrorForm[]): ErrorAnswer | undefined => {
        const form = mostFrequent(forms.map((each) => each.form))
        if (form === undefined) return undefined
        const answer = withMessages(JSON.parse(form) as ErrorAnswer, messagesOf(own, all))
        return withNouns(answer, nouns) as ErrorAnswer
      }
      const usual = answerOf(some)
      // What other routes say of what is not there is said of what this one needs.
      const lacking = route.needed === undefined ? [] : all.filter(({ issue }) => issue === 'not_found')
      const isKnown = some.some(({ issue }) => issue === 'not_found')
      const issues = isKnown ? some : [...some, ...lacking]
      const byIssue = [...groupBy(issues, ({ issue }) => issue)].flatMap(([issue, forms]) => {
        const answer = issue === undefined ? undefined : answerOf(forms)
        return answer === undefined || isDeepStrictEqual(answer, usual)
          ? []
          : [[`${code}/${issue ?? ''}`, answer] as const]
      })
      return usual === undefined ? [] : [[code, usual] as const, ...byIssue]
    })
    const errorAnswers = Object.fromEntries(
      answers.toSorted(([a], [b]) => compareTexts(a, b)),
    ) as ErrorAnswers
    return [
      route,
      {
        requires,
        etag: etags.get(route),
        ...(answers.length > 0 && { errorAnswers }),
      },
    ]
  })
}

/** A place of a request's head that must have a value. */
type Required = { readonly header: string } | { readonly query: string }

const isFine = ({ status }: Sample): boolean => status < 400

/** What all requests have that succeeded where others were refused that have it not. */
function findRequired(routes: readonly Refusing[]): Required | undefined {
  const places = routes.flatMap(({ samples }) => {
    const refused = samples.filter(isRefused)
    const fine = samples.filter(isFine)
    const judged = fine.length > 0 ? fine : routes.flatMap((each) => each.samples.filter(isFine))
    const [first] = judged
    if (refused.length === 0 || first === undefined) return []
    const able: readonly Required[] = [
      ...Object.keys(first.headers)
        .filter((header) => header === 'cookie' || isTraitHeader(header))
        .map((header) => ({ header })),
      ...Object.keys(first.query).map((query) => ({ query })),
    ]
    return able
      .filter(
        (place) =>
          judged.every((sample) => has(sample, place)) && refused.some((sample) => !has(sample, place)),
      )
      .map((place) => JSON.stringify(place))
  })
  const counts = [...countEach(places)].toSorted(
    ([a, some], [b, others]) => rankOf(a) - rankOf(b) || others - some || compareTexts(a, b),
  )
  return counts[0] && (JSON.parse(counts[0][0]) as Required)
}

// What is called like a credential is one.
function rankOf(place: string): number {
  const names = [/authorization/, /key|token|auth|secret|session/, /cookie/]
  const at = names.findIndex((name) => name.test(place))
  return at < 0 ? names.length : at
}

function has({ headers, query }: Sample, place: Required): boolean {
  return 'header' in place ? (headers[place.header] ?? '') !== '' : query[place.query] !== undefined
}

function isGuarded({ samples }: Refusing, required: Required): boolean {
  return samples.every((sample) => isRefused(sample) || has(sample, required))
}

/** The form of an error's answer, as a text that is equal for equal forms. */
interface ErrorForm {
  readonly route: Refusing
  readonly code: string
  readonly form: string
  /** What is wrong with the input first, where it is that. */
  readonly issue: string | undefined
  /** What is said to be wrong with fields, by what that is. */
  readonly messages: readonly FieldMessage[]
}

/** What is known of a host's routes. */
interface Known {
  readonly required: Required | undefined
  /** Those of paths that the server has no route for. */
  readonly unknown: ReadonlySet<Refusing>
  /** What requests were refused as for who sent them. */
  readonly refusedAs: ReadonlyMap<number, string>
}

// A path that was only ever not found, and so was none below or above which something was.
function unknownPaths(routes: readonly Refusing[]): ReadonlySet<Refusing> {
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

function formOf(sample: Sample, route: Refusing, known: Known): ErrorForm | undefined {
  const refusal = refusalOf(sample, route, known)
  if (refusal === undefined || sample.binary !== undefined || sample.isCut) return undefined
  const { code, issues } = refusal
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
    ...(code === 'SIM_ITEM_EXISTS' ? takenValues(sample, text) : []),
  ]
  const headers = Object.entries(responseHeaders)
    .filter(([name]) => SENT.test(name) || isOwnHeader(name))
    .toSorted(([a], [b]) => compareTexts(a, b))
    .map(([name, value]) => [name, name === 'content-type' ? value : opened(value, values)])
  const written =
    response === undefined
      ? {}
      : isJson(sample)
        ? { body: opened(response, values) }
        : { text: opened(response, values) as string }
  const form: ErrorAnswer = {
    status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...written,
  }
  return { route, code, form: JSON.stringify(form), issue: refusal.issue ?? issues[0]?.type, messages }
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
  if (isRefused(sample) && !isInvalid(sample)) {
    const isLacking = required !== undefined && !has(sample, required)
    if (isLacking) return { code: 'SIM_UNAUTHORIZED', issues: [] }
    return isOfCaller(sample, route.forbids) ? { code: 'SIM_FORBIDDEN', issues: [] } : undefined
  }
  if (sample.isMalformed === true && isInvalid(sample))
    return { code: 'SIM_INPUT_INVALID', issues: [], issue: 'json_invalid' }
  if (unknown.has(route)) return { code: 'SIM_ROUTE_NOT_FOUND', issues: [] }
  const lacked = route.needed?.lackedBy(sample)
  if (lacked !== undefined) return { code: 'SIM_INPUT_INVALID', issues: [lacked] }
  const isOfItem =
    /\}[^/]*$/.test(route.path) || route.parent !== undefined || route.about?.endsWith('}') === true
  if ((sample.status === 404 || sample.status === 410) && isOfItem && !route.isFailure)
    return { code: 'SIM_ITEM_NOT_FOUND', issues: [] }
  if (sample.status === 412) return { code: 'SIM_PRECONDITION_FAILED', issues: [] }
  if (isTaken(sample)) return { code: 'SIM_ITEM_EXISTS', issues: [] }
  if (!isInvalid(sample)) return undefined
  if (hasWrongToken(sample, route.paging?.parameters)) return { code: 'SIM_PAGE_TOKEN_INVALID', issues: [] }
  if (isPatchDocument(sample.body)) return { code: 'SIM_INPUT_INVALID', issues: [] }
  const ofPath = route.wrongIn(sample) ?? unknownField(sample, route.samples)
  const issues =
    ofPath === undefined ? namedIssues(fieldIssues(sample, route.samples), sample.response) : [ofPath]
  return issues.length === 0 ? undefined : { code: 'SIM_INPUT_INVALID', issues }
}

function lastParameter({ segments }: Sample, { path }: Refusing): string {
  return segments[path.split('/').findLastIndex((part) => part.includes('{')) - 1] ?? ''
}
