import type { FileOptions, FileOutcome } from '../../../engine/file-option.ts'
import type { Facts } from '../../../collections/files/file-facts.ts'
import type { FileResult } from '../../../collections/files/keep-file.ts'
import type { Recorded } from '../recorded.ts'
import type { FileRule } from './file-rule.ts'
import type { PropertiesSeen } from './tree-properties.ts'

/** A recorded exchange with what the files would have made of it. */
export interface Played {
  readonly rule: FileRule
  readonly params: readonly string[]
  /** Whether the server did what is done with stored files. */
  readonly isAgreed: boolean
  readonly recorded: Recorded
  readonly result: FileResult
  readonly facts: Facts
  /** What was answered of the properties of what is there. */
  readonly seen?: PropertiesSeen | undefined
}

/** What requests properties, which a multi-status answers. */
export const ASKING = /^(properties|change|report)$/

/** What a request comes to that was done. */
export const DONE: readonly FileOutcome[] = ['done', 'replaced', 'copied']

/** Whether a status is what a server answers to what it did, or refused to do. */
export function areAgreed(status: number, { outcome }: FileResult, rule: FileRule): boolean {
  const { action } = rule.options
  if (ASKING.test(action) && outcome !== 'slash') return (outcome === 'done') === (status === 207)
  // Of a collection, there may be a list.
  if (outcome === 'folder' && action === 'get') return true
  if (outcome === 'slash') return status >= 300 && status < 400
  if (DONE.includes(outcome))
    return status < 400 || (status === 412 && action !== 'list') || (status === 416 && action === 'get')
  // To delete what is not there may be fine.
  return (
    status >= 400 ||
    (outcome === 'missing' && isGivenEmpty(status, rule)) ||
    (outcome === 'missing' && (rule.hasDefault === true || /^(delete|abort)$/.test(action)))
  )
}

/** What the server made of a request; `undefined` where the files explain it otherwise. */
function outcomeOf({
  recorded: { status },
  result: { outcome },
  rule,
  isAgreed,
}: Played): FileOutcome | undefined {
  if (!isAgreed) return undefined
  if (!DONE.includes(outcome)) return outcome
  if (status === 412) return 'precondition'
  if (status === 416) return 'range'
  return rule.options.action === 'get' && status !== 200 ? undefined : outcome
}

/** Whether the files of a route belong to an item, which must be there for one to be stored. */
export function isOfItem({ in: place = '', tree }: FileOptions): boolean {
  return place.endsWith('}') && tree === undefined
}

/** The same where a file that is not there may be answered as empty, so that what is not found is what it belongs to. */
export function outcomesOf(own: readonly Played[]): (played: Played) => FileOutcome | undefined {
  const isEmpty = own.some(({ recorded, rule }) => isGivenEmpty(recorded.status, rule))
  return (played) => {
    const { recorded, rule } = played
    const isOrphan =
      recorded.status === 404 && isOfItem(rule.options) && (isEmpty || rule.options.action === 'put')
    return isOrphan ? 'orphan' : outcomeOf(played)
  }
}

function isGivenEmpty(status: number, { options }: FileRule): boolean {
  return status === 204 && options.action === 'get' && isOfItem(options)
}

/** The status of an exchange: a multi-status may say of the one resource that is requested for that it failed. */
export function statusIn({ status, answered }: Recorded, action: string): number {
  if (status !== 207 || ASKING.test(action)) return status
  const [, own] = /:?status>HTTP\/1\.\d (\d{3})/.exec(answered.bytes?.toString('latin1') ?? '') ?? []
  return own === undefined ? status : Number(own)
}
