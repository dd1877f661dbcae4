import { PRESETS } from '../../plugins/chaos/presets.ts'
import { UsageInvalid } from '../errors.ts'
import { oneOf, TEXTS, type Option } from '../pipeline/option.ts'
import { FAULTS } from '../../plugins/faults/index.ts'
import type { ChaosOptions } from '../state/chaos-rule.ts'
import { readFlags } from './flags.ts'

interface ChaosFlags {
  readonly chaos: string | undefined
  readonly fault: readonly Fault[]
}

const FAULT_NAMES = FAULTS.map(({ name }) => name)

type Fault = readonly [string, { readonly rate: number; readonly bytesPerSecond?: number }]

/** The flags about chaos by rules. */
export const CHAOS_FLAGS: Readonly<Record<keyof ChaosFlags, Option>> = {
  chaos: {
    ...oneOf(Object.keys(PRESETS)),
    group: 'Chaos',
    flag: { name: 'chaos', describe: 'Chaos by a plain name' },
  },
  fault: {
    ...TEXTS,
    group: 'Chaos',
    flag: {
      name: 'fault',
      describe: 'Break connections at a rate, as reset:0.1 or slow-body:1:5000 (bytes a second)',
      read: (faults: readonly string[]) => faults.map(readFault),
    },
  },
}

/**
 * Chaos by rules: those of the flags before those of a config file, in place of whose preset theirs is.
 * @throws UsageInvalid for a fault that cannot be
 */
export function addChaos(given: object, { preset, rules = [], ...rest }: ChaosOptions = {}): ChaosOptions {
  const { chaos = preset, fault } = readFlags<ChaosFlags>(given, CHAOS_FLAGS)
  const own = fault.length === 0 ? [] : [{ name: 'faults', faults: Object.fromEntries(fault) }]
  return { ...rest, ...(chaos !== undefined && { preset: chaos }), rules: [...own, ...rules] }
}

function readFault(text: string): Fault {
  const [name = '', rate = '', speed] = text.split(':')
  const kind = FAULT_NAMES.find((each) => each === name)
  const share = Number(rate)
  const bytes = speed === undefined ? undefined : Number(speed)
  const isGood = rate !== '' && share >= 0 && share <= 1
  const isSpeed = bytes === undefined || (kind === 'slow-body' && Number.isInteger(bytes) && bytes > 0)
  if (kind !== undefined && isGood && isSpeed)
    return [kind, { rate: share, ...(bytes !== undefined && { bytesPerSecond: bytes }) }]
  throw new UsageInvalid(
    `--fault must be one of ${FAULT_NAMES.join(', ')} with its rate, such as reset:0.1, ` +
      `or slow-body:1:5000; '${text}' is not one`,
  )
}
