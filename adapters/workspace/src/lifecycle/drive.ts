import { OptionInvalid } from 'sim-gateway/adapter'

const KINDS = ['clusters', 'libraries', 'runs', 'statements', 'warehouses'] as const
const WAYS = ['reads', 'time']
const MOST_READS = 100

/** The kinds of resources that live through states. */
export type DrivenKind = (typeof KINDS)[number]

/**
 * What makes the resources of one kind move on. `reads`: reading one resource takes it to its final state, after each
 * state on the way was shown to `intermediateReads` reads (0: none is shown). `time`: only the virtual clock does.
 */
export interface Drive {
  readonly by: 'reads' | 'time'
  readonly intermediateReads?: number
}

/** How each kind is driven; a kind that is not named is driven by reads and shows no state on the way. */
export type Drives = Readonly<Partial<Record<DrivenKind, Drive>>>

/** JSON Schema of the fixture's `lifecycle`. */
export const drivesSchema = {
  type: 'object',
  properties: Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      {
        type: 'object',
        required: ['by'],
        properties: {
          by: { enum: WAYS },
          intermediateReads: { type: 'integer', minimum: 0, maximum: MOST_READS },
        },
      },
    ]),
  ),
}

/** @throws OptionInvalid for drives of a configuration that cannot be; those of a fixture were checked with it */
export function checkDrives(drives: Drives = {}): void {
  for (const [kind, drive] of Object.entries(drives)) {
    if (!KINDS.includes(kind as DrivenKind))
      throw new OptionInvalid(`lifecycle names '${kind}'; there are ${KINDS.join(', ')}`)
    if (!WAYS.includes(drive.by))
      throw new OptionInvalid(`lifecycle.${kind}.by is '${drive.by}'; it can be ${WAYS.join(' or ')}`)
    const { intermediateReads: reads = 0 } = drive
    if (!Number.isSafeInteger(reads) || reads < 0 || reads > MOST_READS)
      throw new OptionInvalid(`lifecycle.${kind}.intermediateReads is ${reads}; it can be 0 to ${MOST_READS}`)
  }
}
