import { hash } from 'node:crypto'
import type {
  FileAction,
  FileAnswer,
  FileOptions,
  FileOutcome,
  FileTree,
} from '../../../engine/file-option.ts'
import { groupBy } from '../../../grouping.ts'
import { eachRecorded } from '../recorded.ts'
import type { Sample } from '../sample.ts'
import { answerIn } from './file-answer.ts'
import { type FileRule, withThere } from './file-rule.ts'
import { guardOf, withRefused } from './guarded-files.ts'
import { ignoredIn, withWrites } from './file-writes.ts'
import { type Bodies, UNKNOWN } from './plain-files.ts'
import { DIGEST_FACTS } from '../../../collections/files/file-facts.ts'
import { play } from './play-files.ts'
import { DONE, isOfItem, outcomesOf, type Played } from './play-outcomes.ts'
import { fileRulesOf } from './protocols.ts'
import { learnProperties, learnRefused, type PropertiesSeen } from './tree-properties.ts'

/** A route that stores files, or answers from them, as a recording shows it. */
export interface LearnedFileRoute extends FileRule {
  readonly host: string | undefined
  readonly samples: readonly Sample[]
  /** What the bytes come to that were stored, by facts, and by the exchanges that sent them. */
  readonly stored: ReadonlyMap<number, Readonly<Record<string, string>>>
}

/** Routes of files, and the exchanges that they stand for. */
export interface LearnedFiles {
  readonly routes: readonly LearnedFileRoute[]
  readonly taken: ReadonlySet<number>
}

/** Of a recording without files. */
export const NO_FILES: LearnedFiles = { routes: [], taken: new Set() }

interface Learned {
  readonly rule: FileRule
  readonly own: readonly Played[]
  readonly outcomes: Readonly<Partial<Record<FileOutcome, FileAnswer>>>
}

/**
 * Finds routes that store files, and learns their answers: the recording is played to stored files, and what was
 * answered is explained by what is known of the file and the request.
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function learnFiles(recording: string, samples: readonly Sample[]): Promise<LearnedFiles> {
  if (!samples.some(({ method, status }) => /^(PUT|PATCH|POST)$/.test(method) && status < 300))
    return NO_FILES
  const bodies = await bodiesIn(recording)
  const hosts = groupBy(samples, ({ origin }) => new URL(origin).host)
  const routes: LearnedFileRoute[] = []
  for (const [host, own] of hosts) {
    const { rules, isOther } = fileRulesOf(own, (index) => bodies[index] ?? {})
    if (rules.length === 0) continue
    const guard = guardOf(own)
    const isPlayed = (each: Sample): boolean => !isOther(each) && guard?.refused.has(each) !== true
    const byIndex = new Map(own.filter(isPlayed).map((each) => [each.index, each]))
    const learned = withRefused(await learnRules(recording, rules, byIndex), guard)
    routes.push(...learned.map((each) => ({ ...each, host: hosts.size > 1 ? host : undefined })))
  }
  return { routes, taken: new Set(routes.flatMap((route) => route.samples.map(({ index }) => index))) }
}

async function bodiesIn(recording: string): Promise<readonly Bodies[]> {
  const digestOf = (bytes: Buffer | undefined): string | undefined =>
    bytes === undefined || bytes.length === 0 ? undefined : hash('md5', bytes)
  const bodies: Bodies[] = []
  for await (const { sent, standIn, answered } of eachRecorded(recording)) {
    const [one, other] = [standIn === undefined ? digestOf(sent) : UNKNOWN, digestOf(answered.bytes)]
    bodies.push({
      ...(one !== undefined && { sent: one }),
      ...(answered.bytes === undefined ? { answered: UNKNOWN } : other !== undefined && { answered: other }),
    })
  }
  return bodies
}

async function learnRules(
  recording: string,
  given: readonly FileRule[],
  samples: ReadonlyMap<number, Sample>,
): Promise<readonly Omit<LearnedFileRoute, 'host'>[]> {
  const first = await play(recording, given, samples)
  const rules = given.map((rule) => withWrites(rule, first))
  const { played, unconditional, there } = await play(recording, rules, samples, first.etags, first.there)
  const byRule = groupBy(played, ({ rule }) => rule)
  const shared = new Map<string, FileAnswer>()
  const learned = rules.flatMap((rule): readonly Learned[] => {
    const own = byRule.get(rule) ?? []
    if (own.length === 0) return []
    if (!own.some(({ recorded }) => recorded.status < 400)) return neverDone(rule, own)
    const outcomes: Partial<Record<FileOutcome, FileAnswer>> = {}
    for (const [outcome, all] of groupBy(own, outcomesOf(own))) {
      if (outcome === undefined) continue
      const answer = answerIn(rule, outcome, all)
      outcomes[outcome] = answer
      const key = sharedKey(rule, outcome)
      if ((answer.text ?? '') !== '' || !shared.has(key)) shared.set(key, answer)
    }
    return [{ rule, own, outcomes }]
  })
  const seen = groupBy(
    played.filter((each) => each.seen !== undefined),
    ({ rule }) => rule.options.action,
  )
  const seenBy = (...actions: readonly FileAction[]): readonly PropertiesSeen[] =>
    actions.flatMap((action) => seen.get(action) ?? []).flatMap((each) => each.seen ?? [])
  const tree = seen.size === 0 ? {} : learnProperties(seenBy('properties', 'report'))
  const refused = learnRefused(seenBy('change'))
  return learned.map(({ rule, own, outcomes }) => {
    const others = BORROWED.flatMap((outcome): [FileOutcome, FileAnswer][] => {
      const answer = shared.get(sharedKey(rule, outcome))
      const isNeeded = mayCome(outcome, rule.options)
      return answer === undefined || !isNeeded ? [] : [[outcome, answer]]
    })
    const ignores = [...new Set([...ignoredIn(own), ...(unconditional.get(rule) ?? [])])]
    const options: FileOptions = {
      ...withThere(rule.options, there),
      ...(ignores.length > 0 && { ignores }),
      ...(rule.options.tree !== undefined && { tree: treeOf(rule.options, tree, refused) }),
      outcomes: { ...Object.fromEntries(others), ...outcomes },
    }
    const taken = own.flatMap(({ recorded }) => samples.get(recorded.index) ?? [])
    return { ...rule, options, samples: taken, stored: storedBy(rule, own) }
  })
}

function storedBy({ options }: FileRule, own: readonly Played[]): LearnedFileRoute['stored'] {
  const done = isOfItem(options) && options.action === 'put' ? own.filter(isDone) : []
  return new Map(
    done.map(({ recorded: { index }, facts }) => {
      const known = ['size', ...DIGEST_FACTS].map((name) => [name, facts(name)] as const)
      const texts = known.filter((each): each is [string, string] => typeof each[1] === 'string')
      return [index, Object.fromEntries(texts)]
    }),
  )
}

function isDone(played: Played): boolean {
  return played.isAgreed && DONE.includes(played.result.outcome) && played.recorded.status < 300
}

/** What a route has to know of its tree. */
function treeOf({ action, tree: given = {} }: FileOptions, tree: FileTree, refused: FileTree): FileTree {
  const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== false))
  if (action === 'make') {
    const { prefixes } = tree
    return 'response' in own && prefixes ? { ...own, prefixes } : own
  }
  if (action === 'properties' || action === 'report') return { ...own, ...tree }
  if (action !== 'change') return own
  const { prefixes, base } = tree
  return { ...own, ...(prefixes && { prefixes }), ...(base !== undefined && { base }), ...refused }
}

/** A route whose every request was refused changes nothing, and refuses all others likewise. */
function neverDone(rule: FileRule, own: readonly Played[]): readonly Learned[] {
  const answer = answerIn(rule, 'missing', own)
  const { action: _action, verify: _verify, needs: _needs, tree, ...options } = rule.options
  // What is not there may be the reason, unless it is the method.
  if (tree !== undefined && !own.every(({ recorded: { status } }) => /^(403|405|501)$/.test(String(status))))
    return []
  const refusing: FileRule = { ...rule, options: { action: 'status', ...options } }
  return [{ rule: refusing, own, outcomes: { done: answer, missing: answer } }]
}

/** Refusals that the routes of one place have in common. */
const BORROWED: readonly FileOutcome[] = [
  'missing',
  'orphan',
  'range',
  'precondition',
  'folder',
  'slash',
  'locked',
]

function mayCome(outcome: FileOutcome, { action, needs, from, keys, tree }: FileOptions): boolean {
  if (outcome === 'orphan') return needs !== undefined || (tree !== undefined && MAKING.test(action))
  if (outcome === 'slash') return tree?.slash === true
  if (outcome === 'locked') return tree?.locks === true
  if (outcome === 'folder') return tree !== undefined && action === 'put'
  if (outcome === 'missing')
    return action === 'put' ? from !== undefined : !/^(list|begin|make)$/.test(action) && keys === undefined
  return action === 'get' || (outcome === 'precondition' && action === 'put')
}

const MAKING = /^(put|make|copy|move)$/

function sharedKey({ options }: FileRule, outcome: FileOutcome): string {
  if (outcome === 'orphan') return outcome
  const isUpload = options.upload !== undefined && options.action !== 'begin'
  return `${outcome} ${isUpload ? options.upload?.in : options.in}`
}
