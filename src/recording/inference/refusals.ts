import { isDeepStrictEqual } from 'node:util'
import type { ErrorAnswer, ErrorAnswers } from '../../engine/error-answer.ts'
import { compareTexts, countEach, groupBy, mostFrequent } from '../../grouping.ts'
import type { When } from '../../routing/condition.ts'
import { isTraitHeader } from '../match/traits.ts'
import type { EtagOption } from '../../engine/etag.ts'
import { isRefused } from './callers.ts'
import { type ErrorForm, formOf, has, type Refusing, type Required, unknownPaths } from './error-forms.ts'
import { findEtags, saysTags } from './etags.ts'
import { messagesOf, withMessages } from './field-messages.ts'
import { CONFLICT_CODES } from './conflicts.ts'
import { nounsOf, withNouns } from './opened-text.ts'
import type { Sample } from './sample.ts'

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
        const form = mostFrequent(forms.map((each) => (each.route === route ? each.ownForm : each.form)))
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

function isGuarded({ samples }: Refusing, required: Required): boolean {
  return samples.every((sample) => isRefused(sample) || has(sample, required))
}
