import { PRESETS } from '../../plugins/chaos/presets.ts'
import { UsageInvalid } from '../errors.ts'
import { number, oneOf, TEXTS, type Form, type Option } from '../pipeline/option.ts'
import { FAULTS } from '../../plugins/faults/index.ts'
import type { ChaosOptions } from '../engine/chaos-rule.ts'
import { readFlags } from './flags.ts'

interface ChaosFlags {
  readonly chaos: string | undefined
  readonly fault: readonly RatedFault[]
}

const RATE = number(0, 1, 'a number from 0 to 1')
const NEVER: Form = { check: () => 'nothing' }

type RatedFault = readonly [name: string, shape: Readonly<Record<string, number>> & { readonly rate: number }]

/** The flags about chaos by rules. */
export const CHAOS_FLAGS: Readonly<Record<keyof ChaosFlags, Option>> = {
  chaos: {
    ...oneOf(Object.keys(PRESETS)),
    group: 'Chaos',
    see: 'chaos.md',
    flag: { name: 'chaos', isCommon: true, describe: 'Chaos by a plain name' },
  },
  fault: {
    ...TEXTS,
    group: 'Chaos',
    see: 'chaos.md#faults',
    flag: {
      name: 'fault',
      isCommon: true,
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

/** Reads a fault's name, its rate and the value of its first option, such as `slow-body:1:5000`. */
function readFault(text: string): RatedFault {
  const [name = '', rate = '', value] = text.split(':')
  const fault = FAULTS.find((each) => each.name === name)
  const [[option, { check }] = ['', NEVER]] = Object.entries(fault?.options ?? {})
  const isRate = rate !== '' && RATE.check(Number(rate)) === undefined
  const isValue = value === undefined || check(Number(value)) === undefined
  if (fault !== undefined && isRate && isValue)
    return [name, { rate: Number(rate), ...(value !== undefined && { [option]: Number(value) }) }]
  throw new UsageInvalid(
    `--fault must be one of ${FAULTS.map((each) => each.name).join(', ')} with its rate, such as reset:0.1, ` +
      `or slow-body:1:5000; '${text}' is not one`,
  )
}
