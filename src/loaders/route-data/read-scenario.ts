import type { ScenarioStep } from '../../engine/error-case.ts'
import type { DataPlace } from './data-place.ts'
import { isOfForm, readItems, type Check, type Form } from './read-entries.ts'

/** Anything, since a detail or body is any JSON value. */
export const anything: Check = () => undefined

/** A check for a status within bounds. */
export function statusFrom(least: number): Check {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 599
      ? undefined
      : `a status from ${least} to 599`
}

const STEP: Form = { required: { status: statusFrom(200) }, optional: { detail: anything, body: anything } }

/** Reads the steps of a scenario: `[{ status: 503, detail: busy }, { status: 200 }]`. */
export function readScenario(value: unknown, place: DataPlace): readonly ScenarioStep[] | undefined {
  return readItems(value, place, (step, at) =>
    isOfForm(step, STEP, at) ? (step as unknown as ScenarioStep) : undefined,
  )
}
