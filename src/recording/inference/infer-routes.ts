import { addTo, entryOf, groupBy } from '../../grouping.ts'
import type { CallModel } from '../../engine/call-model.ts'
import { inferCalls } from '../calls/infer-model.ts'
import { isApart } from './apart.ts'
import { usualHeaders } from './answer-headers.ts'
import { callerHeaders } from './callers.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { callsOfPaths } from './calls-of-paths.ts'
import { findClosings, refusedBy } from './closings.ts'
import { createCopies } from './made-copies.ts'
import { findCountedMembers, withCounted } from './counted-members.ts'
import { findConflicts } from './conflicts.ts'
import type { Item } from './item-place.ts'
import { findNeededItems } from './needed-items.ts'
import { isSafe } from '../../message.ts'
import { separateEmbedded } from './embedded.ts'
import { findEntities } from './find-entities.ts'
import { withEffects, withoutEffects } from './effects.ts'
import { type Folded, foldPaths } from './fold-paths.ts'
import { emptyRoute, type InferredRoute, inferRoute, pagingOf } from './infer-route.ts'
import { sharedEchoes } from './links.ts'
import { fileRoutesOf } from './file-routes.ts'
import { type LearnedFiles, NO_FILES } from './files/learn-files.ts'
import { outputModel } from './models.ts'
import { findOperations, type OperationSamples, type Spoken } from './operations.ts'
import { withNames } from './parameter-names.ts'
import { pathModels } from './path-issues.ts'
import { findRefusals } from './refusals.ts'
import { findListed } from './listed.ts'
import {
  elsewhereOf,
  findMadeElsewhere,
  findMadeLists,
  findPlaces,
  findResources,
  isAtResource,
  type Resource,
  resourceOf,
  wholeWriteOf,
} from './resources.ts'
import { refusedAsGone } from './gone-items.ts'
import { type Callers, callersIn } from './logins/callers-in.ts'
import { keyOptions } from './logins/find-keys.ts'
import { findLoginRoutes } from './logins/login-options.ts'
import { withLogin, withoutUsers } from './logins/register-option.ts'
import { findWhoSent } from './logins/who-sent.ts'
import { withMembers } from './members.ts'
import { createIsThere, createParents, createSightings } from './parents.ts'
import type { Paging } from './paging.ts'
import type { Sample } from './sample.ts'
import { reasonToSkip, withoutHead, withoutUnchanged } from './skipped-samples.ts'
import { itemsOf, sentTo } from './sent-items.ts'
import { findLoneItems } from './items-of-parents.ts'
import { findServerUrls } from './server-urls.ts'
import { withSiblingFields } from './sibling-fields.ts'
import { isIdTaken, isNameTaken } from './taken-ids.ts'
import { withTypedForms } from './typed-forms.ts'
import type { WholeWrite } from './whole-writes.ts'
import { findMentions } from './values.ts'

/** All that a recording shows of an API. */
export interface Inference {
  readonly routes: readonly InferredRoute[]
  /** Collections that answer what was done to them. */
  readonly resources: readonly Resource[]
  /** Exchanges that no route can stand for, by reason. */
  readonly skipped: ReadonlyMap<string, number>
  /** Who sent which requests; absent where no users log in. */
  readonly callers?: Callers | undefined
  /** What the server calls itself in its answers. */
  readonly serverUrls: readonly string[]
}

/**
 * Infers routes, models, links and collections. The same samples give the same routes.
 * @param files routes that store files, whose exchanges say no more
 * @param isTogether whether to find protocols that no exchange shows alone
 */
export function inferRoutes(
  samples: readonly Sample[],
  files: LearnedFiles = NO_FILES,
  isTogether = true,
): Inference {
  const skipped = new Map<string, number>()
  const typed = withTypedForms(samples)
  const { logins, keys, samples: seen, isCarrier } = findWhoSent(typed)
  const usable = seen.filter((sample) => {
    if (files.taken.has(sample.index)) return false
    const reason = reasonToSkip(sample)
    if (reason !== undefined) addTo(skipped, reason)
    return reason === undefined
  })
  const mentions = findMentions(usable)
  const hosts = groupBy(usable, ({ origin }) => new URL(origin).host)
  const headersOf = new Map([...hosts].map(([host, own]) => [host, usualHeaders(own)]))
  const callersOf = new Map(
    [...hosts].map(([host, own]) => [
      host,
      // Users are known by their tokens.
      callerHeaders(own).filter((name) => !isCarrier(name)),
    ]),
  )
  const ofHosts = [...hosts].flatMap(([host, own]) =>
    foldPaths(withEffects(own), mentions, hosts.size > 1 ? host : undefined),
  )
  const all = withNames(ofHosts).map((each) => withoutUnchanged(withoutHead(each), skipped))
  const pathCalls = callsOfPaths(all, isTogether)
  const whole = all.filter((each) => !pathCalls.covered.has(each))
  const placesOfWhole = findPlaces(whole)
  const owns = new Set([...placesOfWhole.values()].map(({ own }) => own))
  const listed = findMadeElsewhere(whole, (own) => !owns.has(own) && !placesOfWhole.has(own))
  const { folded, embedsOf } = separateEmbedded(whole, new Map([...placesOfWhole, ...listed]))
  const places = folded === whole ? placesOfWhole : findPlaces(folded)
  const ids = new Map([...places.values()].map(({ own, place }) => [own, place.id]))
  const pagings = new Map(folded.map((each) => [each, pagingOf(each, ids.get(each))]))
  const ofStored = new Map<Folded, Paging | undefined>()
  const pagingAt = (each: Folded): Paging | undefined =>
    entryOf(ofStored, each, () => pagings.get(each) ?? pagingOf(each, ids.get(each), true))
  const isSound = ({ confirmed, contradicted }: Resource): boolean => confirmed > contradicted * 4
  const ofItems = findResources(folded, pagingAt, places).filter(isSound)
  const lists = findMadeLists(folded, ofItems)
  for (const { own, place } of lists.values()) if (own !== undefined) ids.set(own, place.id)
  const kept = [...ofItems, ...findResources(folded, pagingAt, lists).filter(isSound)]
  for (const each of folded)
    if (kept.some((resource) => isListOf(resource, each))) pagings.set(each, pagingAt(each))
  const ofLists = [...kept, ...findListed(folded, pagings, kept)]
  const resources = withMembers([...ofLists, ...findLoneItems(folded, ofLists).filter(isSound)], folded)
  const isStored = (route: InferredRoute): boolean => resourceOf(resources, route) !== undefined
  const sightingsOf = createSightings(folded)
  const isThere = createIsThere(sightingsOf)
  const parentOf = createParents(resources, isThere)
  const neededItems = findNeededItems(folded, resources, isThere)
  const conflicts = findConflicts(folded, resources, sightingsOf)
  const closings = findClosings(folded, resources, sightingsOf)
  const copies = createCopies(resources, sightingsOf)
  const counted = findCountedMembers(folded, resources, sightingsOf)
  const shown = new Map<Resource, readonly Item[]>()
  const itemsShown = (resource: Resource): readonly Item[] =>
    entryOf(shown, resource, () => itemsOf(resource, folded))
  const found = folded.flatMap((each) => {
    const ofPath = pathModels(each)
    return [...groupBy(each.samples, ({ method }) => method)].flatMap(([method, own]) => {
      const ofPaths = pathCalls.modelOf(each, method)
      const models = new Map<Spoken, CallModel | undefined>()
      const callsIn = (spoken: Spoken): CallModel | undefined =>
        ofPaths ?? entryOf(models, spoken, () => callsOf(spoken))
      const ofPathAndMethod = resourceOf(resources, { ...each, method })
      const wholeOfAll = ofPathAndMethod && wholeWriteOf(ofPathAndMethod, { ...each, method, samples: own })
      const operations = withWhole(own, wholeOfAll)
      const shared = operations.length > 1 ? sharedEchoes(own) : []
      const hasRest = operations.some(({ when }) => when === undefined)
      const rest = hasRest ? [] : restOf(operations, each, callsIn)
      const found = operations.map((one) => {
        const { when, name, samples: ofOperation, spoken } = one
        const isNone = isApart(one, operations, { ...each, method }, ofPathAndMethod)
        const resource = isNone ? undefined : ofPathAndMethod
        const isOfStored = resource !== undefined
        const whole = resource && wholeWriteOf(resource, { ...each, method, samples: ofOperation })
        const absent = method === 'DELETE' ? resource?.writes.absent?.indexes : undefined
        const there = ofOperation.filter(({ index }) => absent?.has(index) !== true)
        const shown = there.length > 0 ? there : ofOperation
        const operation = { ...each, samples: isOfStored ? shown : withoutEffects(shown) }
        const paging =
          whole !== undefined || ofOperation.length === own.length
            ? pagings.get(each)
            : pagingOf(operation, ids.get(each))
        const host = each.host ?? [...hosts.keys()][0] ?? ''
        const isWrite = !isSafe(method) && resource !== undefined && isAtResource(resource, each)
        const ofWrites = isWrite ? neededItems.get(resource) : undefined
        const other = resource && elsewhereOf(resource, { ...each, method })
        const closing = resource && closings.get(`${method} ${each.host ?? ''}${each.path}`)
        const route = inferRoute(method, operation, {
          ...{ isStored: isOfStored, paging, isOfAll: whole !== undefined },
          sent:
            whole === undefined && resource
              ? sentTo(method, each, resource, folded, itemsShown(resource))
              : undefined,
          puts:
            whole === undefined && resource && isAtResource(resource, each)
              ? resource.writes.puts
              : undefined,
          headers: headersOf.get(host) ?? {},
          callers: callersOf.get(host) ?? [],
          lackedBy: ofWrites?.lackedBy,
          isTaken: (sample) =>
            resource !== undefined &&
            (isIdTaken(sample, resource) ||
              isNameTaken(sample, resource) ||
              other?.refused?.has(sample.index) === true ||
              closing?.refused.has(sample.index) === true),
          ...{ ofPath, shared },
        })
        const isOfItem = other !== undefined && !/^(create|list|count|first)$/.test(other.does)
        const parent = isOfStored && !isOfItem ? parentOf(each, own) : undefined
        const embedded = withCounted(embedsOf(each, method), method, resource && counted.get(resource), other)
        const needed = route.isFailure ? undefined : ofWrites
        const model = withCalls(route, callsIn(spoken))
        const about = {
          parent,
          about: other?.at,
          embedded,
          needed,
          conflicts: isWrite ? conflicts.get(resource) : undefined,
          ...refusedBy(other, closing),
          refers: resource && copies(resource, each, method, ofOperation),
        }
        const found = { ...model, when, name, ...about }
        return { ...found, isApart: isNone, samples: isOfStored ? ofOperation : route.samples }
      })
      return [...found, ...rest]
    })
  })
  const routes = withSiblingFields(found, resources)
  const entities = findEntities(routes, isStored)
  const users = logins && findLoginRoutes(logins, routes, resources)
  const ofKeys = keys && keyOptions(keys, routes, resources)
  const refusals = findRefusals(routes, usable, refusedAsGone(routes, users?.refusedAs))
  const named = routes.map((route) => ({
    ...withLogin(route, users, ofKeys?.get(route)),
    entity: entities.get(route),
    refusals: refusals.get(route),
  }))
  return {
    routes: [...named, ...pathCalls.others, ...fileRoutesOf(files, resources, sightingsOf)],
    ...{ resources: users === undefined ? resources : withoutUsers(resources, users), skipped },
    callers: callersIn(logins, keys, pathCalls.given),
    serverUrls: findServerUrls(samples),
  }
}

// A list that is sent distinguishes what writes several items at once from what writes one.
function withWhole(samples: readonly Sample[], whole: WholeWrite | undefined): readonly OperationSamples[] {
  const ofAll = samples.filter(({ index }) => whole?.indexes.has(index) === true)
  const rest = samples.filter((sample) => !ofAll.includes(sample))
  if (whole === undefined || whole.does !== 'create' || rest.length === 0) return findOperations(samples)
  const spoken = { protocol: undefined, samples: ofAll }
  const when = { pointer: pointerTo([...whole.body, '0']) }
  return [{ when, name: 'list', samples: ofAll, spoken }, ...findOperations(rest)]
}

function isListOf(resource: Resource, { host, path }: Folded): boolean {
  if (resource.host === host && resource.collection === path) return true
  return elsewhereOf(resource, { host, path, method: 'GET' })?.does === 'list'
}

// What a protocol says of calls says when they fail, too.
function withCalls(route: InferredRoute, calls: CallModel | undefined): InferredRoute {
  if (calls?.learned === undefined) return calls === undefined ? route : { ...route, calls }
  const codes = new Set([...route.errorCodes, ...route.errors.map(({ status }) => status)])
  return { ...route, calls, errors: [], errorCodes: [...codes].toSorted((a, b) => a - b) }
}

function callsOf({ protocol, samples }: Spoken): CallModel | undefined {
  return protocol?.calls?.isOfPaths === true ? undefined : protocol && inferCalls(samples, protocol)
}

// Calls that are none of those recorded, but may be about the same objects.
function restOf(
  operations: readonly OperationSamples[],
  { host, path }: Folded,
  callsIn: (spoken: Spoken) => CallModel | undefined,
): readonly InferredRoute[] {
  const spoken = operations.find((each) => each.spoken.protocol?.calls?.unknown !== undefined)?.spoken
  const unknown = spoken?.protocol?.calls?.unknown
  const calls = spoken && callsIn(spoken)
  const [first] = spoken?.samples ?? []
  if (unknown === undefined || calls === undefined || first === undefined) return []
  const { status, body: response } = unknown
  const output = outputModel([{ ...first, status, response }])
  return [{ ...emptyRoute(first.method, host, path), calls, status, output }]
}
