import type { Conflicts } from './conflicts.ts'
import type { NeededItems } from './needed-items.ts'
import type { CallModel } from '../../engine/call-model.ts'
import type { EmbedsOption } from '../../engine/embeds-option.ts'
import type { FileOptions } from '../../engine/file-option.ts'
import type { EntityOption } from '../../engine/entity-option.ts'
import { isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import type { LoginOption } from '../../engine/login-option.ts'
import type { AffectedItem, Caller, ItemReference } from '../../engine/route-options.ts'
import type { When } from '../../routing/condition.ts'
import { forbiddenCallers, isOfCaller } from './callers.ts'
import { findHeaders } from './answer-headers.ts'
import { attachLinks, type FieldLink, openOutput, textInput } from './model-fields.ts'
import { type DateRange, type Echo, findDateRanges, findEchoes } from './links.ts'
import { type ErrorCaseFound, findErrorCases, statusesOf, successesOf, usualAnswers } from './statuses.ts'
import { findFixtures, findTexts, type FixtureAnswers } from './fixture-answers.ts'
import type { FieldIssue } from './refused-values.ts'
import type { Folded } from './fold-paths.ts'
import type { ItemWrites } from './item-writes.ts'
import { withDocument } from './sent-documents.ts'
import { inputModel, itemPrefix, outputModel, type OutputModel, type SentItem, wholeModel } from './models.ts'
import { pagedInput, pagedModel } from './paged-model.ts'
import { findPaging, type Paging } from './paging.ts'
import { isOtherRefused, unknownField } from './unknown-fields.ts'
import { pathIssue } from './path-issues.ts'
import type { Refusals } from './refusals.ts'
import { isJson, type Sample } from './sample.ts'

/** Where answers have the id of an item that does not have it itself. */
export interface IdBeside {
  readonly name: string
  /** The member that has the item, in the answer to what made it; absent in those that are the item. */
  readonly item?: string | undefined
}

/** A route as the recorded exchanges show it. */
export interface InferredRoute {
  readonly method: string
  /** The host it was requested of, in a recording of several. */
  readonly host: string | undefined
  readonly path: string
  /** What distinguishes its requests from those of other routes with this method and path, and its name among them. */
  readonly when?: When | undefined
  readonly name?: string | undefined
  /** Whether it is about no items of the collection whose path it has. */
  readonly isApart?: boolean
  /** What it does with stored files; all the rest is empty then. */
  readonly file?: FileOptions | undefined
  /** What its requests are about, where the path does not say it. */
  readonly entity?: EntityOption | undefined
  /** What the items of its answers have within them of other collections. */
  readonly embedded?: EmbedsOption | undefined
  /** The path of the items that its requests are about, where it is another. */
  readonly about?: string | undefined
  /** What its requests have to do with users. */
  readonly login?: LoginOption | undefined
  /** Where answers have the ids of items that do not have them. */
  readonly idBeside?: IdBeside | undefined
  /** The number of the first user, where it makes users that have numbers. */
  readonly firstUser?: number | undefined
  /** The path of an item that has to be there for its requests, where it stores items. */
  readonly parent?: string | undefined
  /** The items that its bodies name, and that have to be there. */
  readonly needed?: NeededItems | undefined
  /** The items at other paths that it needs and changes. */
  readonly affects?: Readonly<Record<string, AffectedItem>> | undefined
  /** The items of which what it makes copies fields. */
  readonly refers?: Readonly<Record<string, ItemReference>> | undefined
  /** What the state of items keeps its requests from. */
  readonly conflicts?: Conflicts | undefined
  /** The callers that it always refuses. */
  readonly forbids: readonly Caller[]
  /** What it refuses, and how. */
  readonly refusals?: Refusals | undefined
  /** What is wrong with the path of a request that it called invalid. */
  readonly wrongIn: (sample: Sample) => FieldIssue | undefined
  readonly input: Schema | undefined
  readonly output: OutputModel | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly echoes: readonly Echo[]
  readonly ranges: readonly DateRange[]
  /** The input field that says how many items a list has. */
  readonly listCount: string | undefined
  readonly paging: Paging | undefined
  /** What calls at its path do to the objects behind it; the same for all routes of the path. */
  readonly calls?: CallModel | undefined
  /** Answers that are given as they were. */
  readonly fixtures: FixtureAnswers | undefined
  readonly errors: readonly ErrorCaseFound[]
  /** Other failures that came, which nothing brings about. */
  readonly errorCodes: readonly number[]
  /** Whether there was no answer but failures, and they are given as they were. */
  readonly isFailure: boolean
  readonly samples: readonly Sample[]
  /** What a person should look at. */
  readonly doubts: readonly string[]
}

/** A route of which no exchange says more than where it is. */
export function emptyRoute(method: string, host: string | undefined, path: string): InferredRoute {
  return {
    ...{ method, host, path, samples: [], isFailure: false },
    ...{ input: undefined, output: undefined, status: method === 'DELETE' ? 204 : 200, headers: {} },
    ...{ echoes: [], ranges: [], errors: [], errorCodes: [], doubts: [], forbids: [] },
    ...{ listCount: undefined, paging: undefined, fixtures: undefined },
    wrongIn: () => undefined,
  }
}

/** What is known of a path's routes beforehand. */
interface Known {
  readonly isStored: boolean
  readonly paging: Paging | undefined
  /** Whether its requests write several items of a collection, which answers may list. */
  readonly isOfAll: boolean
  /** What is known of the item that bodies have, where they have one. */
  readonly sent: SentItem | undefined
  /** The statuses of a PUT that makes an item, and of one that replaces an item, where they differ. */
  readonly puts: ItemWrites['puts']
  /** The headers that all answers of the server have. */
  readonly headers: Readonly<Record<string, string>>
  /** The headers that distinguish callers. */
  readonly callers: readonly string[]
  /** What a request names that is not there, where it was refused for that. */
  readonly lackedBy: NeededItems['lackedBy'] | undefined
  /** Whether a request was refused for an id that another item has. */
  readonly isTaken: (sample: Sample) => boolean
  /** What parameters of the path have to be. */
  readonly ofPath: Readonly<Record<string, Schema>>
  /** What the answers of all operations of the path repeat of their requests. */
  readonly shared: readonly Echo[]
}

/** Infers a route from the exchanges of one method and path. */
export function inferRoute(
  method: string,
  folded: Folded,
  {
    isStored,
    paging: known,
    isOfAll,
    sent,
    puts,
    headers: usual,
    callers,
    lackedBy,
    isTaken,
    ofPath,
    shared,
  }: Known,
): InferredRoute {
  const { samples, host, path } = folded
  const { status, answered, fine, isFailure, isMissed } = usualAnswers(method, folded, isStored)
  const texts = findTexts(answered, folded)
  const ofJson = texts === undefined ? answered.filter(isJson) : []
  const isList = method === 'GET' || (isOfAll && ofJson.every(({ response }) => holdsList(response, known)))
  const paging = isList && texts === undefined ? known : undefined
  const single = texts?.model ?? (isMissed && method !== 'DELETE' ? {} : undefined)
  const plain: OutputModel | undefined =
    single === undefined ? outputModel(ofJson) : { form: 'single', model: single }
  const seen = paging === undefined || plain?.form === 'page' ? plain : pagedOutput(ofJson, paging)
  // A list that is sent has no fields of its own.
  const isListSent = isOfAll && fine.some(({ body }) => Array.isArray(body))
  const unpaged = isListSent ? undefined : withDocument(inputModel(method, folded, fine, sent, ofPath), fine)
  const paged = paging === undefined || isOfAll ? unpaged : pagedInput(unpaged, paging)
  const listCount = seen?.form === 'list' ? countField(answered) : undefined
  const names = new Set(propertiesOf(paged ?? {}).map(([name]) => name))
  const own = findEchoes(ofJson, folded.values)
  const others = shared.filter(({ field }) => !own.some((echo) => echo.field === field))
  const echoes = [...own, ...others].filter(
    ({ source, field }) =>
      (source.in === 'header' || source.in === 'user' || names.has(source.name)) &&
      !isEnvelope(field, seen, paging),
  )
  const input = seen === undefined ? paged : textInput(paged, echoes, seen.model, itemPrefix(seen))
  const output = seen && { ...seen, model: openOutput(seen.model, echoes, input, itemPrefix(seen)) }
  const ranges = findDateRanges(ofJson).filter(({ field }) => !echoes.some((echo) => echo.field === field))
  const isPage = output !== undefined && output.form !== 'single' && output.form !== 'list'
  const isModelled = isStored || isPage || listCount !== undefined || ranges.length > 0
  const chosen = texts ?? (isModelled ? undefined : findFixtures(ofJson, folded))
  // What was never accepted says nothing of the fields that may choose.
  const isChosenByField = isFailure && ['query', 'body'].includes(chosen?.variants.by?.in ?? '')
  const fixtures = isChosenByField && !names.has(chosen?.variants.by?.name ?? '') ? undefined : chosen
  const forbids = forbiddenCallers(samples, callers)
  const { cases: errors, unexplained } = findErrorCases(
    folded,
    (sample) =>
      (isStored && sample.status === 404) ||
      isTaken(sample) ||
      pathIssue(sample, folded, ofPath) !== undefined ||
      (isStored && (unknownField(sample, samples) !== undefined || isOtherRefused(sample, samples))) ||
      (isFailure && sample.status === status) ||
      isOfCaller(sample, forbids) ||
      isRefusedCaller(sample) ||
      lackedBy?.(sample) !== undefined,
  )
  const ofPuts = method === 'PUT' && puts !== undefined ? [puts.made, puts.again] : []
  const declared = [status, ...ofPuts, ...errors.map((each) => each.status), ...(isStored ? [404] : [])]
  const unlikely = statusesOf(samples.filter((sample) => !isOfCaller(sample, forbids))).filter(
    (code) => !declared.includes(code),
  )
  const { headers, unexplained: unknownHeaders } = findHeaders(answered, folded, usual)
  const doubts: readonly (readonly [boolean, string])[] = [
    [isFailure, `never succeeded, so that it always answers ${status}`],
    [isMissed, 'never requested an item that is there, so that its answer is not known'],
    ...(texts?.doubts ?? []).map((doubt) => [true, doubt] as const),
    [texts === undefined && ofJson.length < answered.length, 'answers that are not JSON are not simulated'],
    [answered.some(({ isCut }) => isCut), 'bodies beyond the first 64 MiB were not looked into'],
    [fine.length === 1, 'seen only once'],
  ]
  return {
    ...{ method, host, path, input, output, status },
    headers: { ...headers, ...paging?.headers },
    ...{ echoes, ranges, listCount, paging, fixtures, errors },
    errorCodes: unlikely.filter((code) => code >= 400).toSorted((a, b) => a - b),
    isFailure,
    samples,
    forbids,
    wrongIn: (sample) => pathIssue(sample, folded, ofPath),
    doubts: [
      ...unlikely
        .filter((code) => code < 400)
        .map((other) => `also answered ${other}, which is not simulated`),
      ...[...unexplained].map(
        ([code, times]) => `answered ${code} ${times} times for no reason that was found`,
      ),
      ...unknownHeaders.map((name) => `answered with a ${name} that nothing explains, which is left out`),
      ...doubts.filter(([isTrue]) => isTrue).map(([, doubt]) => doubt),
    ],
  }
}

/**
 * How a path's list is answered in pages, if it is.
 * @param idPath the names that lead to what names an item of it
 */
export function pagingOf(folded: Folded, idPath?: readonly string[], isStored = false): Paging | undefined {
  const gets = folded.samples.filter(({ method }) => method === 'GET')
  const fine = successesOf(gets).filter(isJson)
  const input = inputModel('GET', { ...folded, samples: gets }, fine)
  return findPaging(fine, input, () => wholeModel(fine), { isStored, idPath })
}

/** The model of a route's items or answer, with its links. */
export function linkedModel(output: OutputModel, { echoes, ranges }: InferredRoute): Schema {
  const dates = ranges.map(({ field, start, end }) => ({ field, link: { dateRangeFrom: [start, end] } }))
  return attachLinks(output.model, [...echoes.map(linkOfEcho), ...dates], itemPrefix(output))
}

/** An echo as the link that makes it. */
export function linkOfEcho({ field, source }: Echo): FieldLink {
  const kinds: Partial<Record<Echo['source']['in'], string>> = { header: 'fromHeader', user: 'fromUser' }
  return { field, link: { [kinds[source.in] ?? 'fromInput']: source.name } }
}

function pagedOutput(answered: readonly Sample[], paging: Paging): OutputModel {
  return {
    form: 'paged',
    model: pagedModel(wholeModel(answered) ?? {}, paging, answered),
    ...(paging.field !== undefined && { list: paging.field }),
  }
}

// Who sent it explains that, rather than what it says.
function isRefusedCaller({ refusedAs, user, status }: Sample): boolean {
  return refusedAs !== undefined || (user !== undefined && status === 403)
}

function holdsList(response: unknown, paging: Paging | undefined): boolean {
  const { field } = paging ?? {}
  return Array.isArray(field === undefined ? response : isObject(response) && response[field])
}

// What the form of the answer itself says is not a field of a model.
function isEnvelope(field: string, output: OutputModel | undefined, paging: Paging | undefined): boolean {
  if (output === undefined || output.form === 'single') return false
  if (output.form === 'paged') return paging?.fields.some(({ path }) => path.join('.') === field) === true
  return !field.startsWith(itemPrefix(output))
}

const COUNTS = /^_?(limit|per_?page|page_?size|size|count|n|max_?results|top|first)$/i

// A list is never longer than its limit, and often just as long.
function countField(samples: readonly Sample[]): string | undefined {
  const names = new Set(samples.flatMap(({ query }) => Object.keys(query)))
  return [...names].find((name) => {
    const pages = samples.filter(
      ({ query, response }) => typeof query[name] === 'string' && Array.isArray(response),
    )
    const left = pages.map(({ query, response }) => Number(query[name]) - (response as unknown[]).length)
    return COUNTS.test(name) && left.every((each) => each >= 0) && left.includes(0)
  })
}
