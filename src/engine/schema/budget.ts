import { noteLimit } from '../limit-notes.ts'
import { positionName, type Position } from './position.ts'

/** About the most bytes that are generated for one answer. */
export const MAX_BYTES = 16 * 2 ** 20
/** About the most bytes of an answer whose length nobody asks for. */
export const SPACE = 48 * 1024
// A byte of a value is a step, that of one that is thrown away as well.
const STEPS_PER_BYTE = 4
/** The most models that may lie within each other in one answer. */
const MAX_LEVELS = 200
/** Values nested deeper in references than this are kept as small as their schemas allow, so that recursion ends. */
export const MAX_DEPTH = 8
/** The most items of a list whose length nobody says, and how deep in references lists still have several. */
export const MAX_TYPICAL = 3
export const SHALLOW_DEPTH = 2
/** The longest text that is generated, and the longest that is of a pattern. */
export const MAX_TEXT = 2 ** 20
export const MAX_DRAWN = 100_000
/** What an item, a field and an attempt are taken to cost. */
export const ITEM = 32
export const FIELD = 32
const ATTEMPT = 256
const STEPS_PER_PART = 16

/** An answer that is being made. */
export interface Budgeted {
  /** The route's key, for messages. */
  readonly route: string
  /** What may still be made for the answer; a new one where there is none. */
  budget?: Budget | undefined
}

/** What is left for the values of one answer. Steps are counted, not time, so that the same request is cut at one place. */
export class Budget {
  bytes: number
  steps: number
  level = 0
  /** What was cut first; `undefined` where nothing was. */
  cut: string | undefined

  constructor(bytes = MAX_BYTES) {
    this.bytes = bytes
    this.steps = STEPS_PER_BYTE * bytes
  }
}

/** The budget of an answer. */
export function budgetOf(scope: Budgeted): Budget {
  return (scope.budget ??= new Budget())
}

/** How many of so many things can be afforded; what is too much is named. */
export function affordable(
  scope: Budgeted,
  wanted: number,
  cost: number,
  at: Position,
  what: string,
): number {
  const budget = budgetOf(scope)
  const left = Math.max(0, Math.floor(Math.min(budget.bytes, budget.steps) / cost))
  const count = wanted <= left ? wanted : left
  budget.bytes -= count * cost
  budget.steps -= count * cost
  if (count < wanted) noteCut(scope, at, `${count} of ${wanted} ${what}`)
  return count
}

/** Whether something can be afforded, which is left out otherwise. */
export function affords(scope: Budgeted, cost: number, at: Position): boolean {
  const budget = budgetOf(scope)
  budget.bytes -= cost
  budget.steps -= cost
  if (budget.bytes >= 0 && budget.steps >= 0) return true
  noteCut(scope, at, 'nothing below')
  return false
}

/** Whether another attempt may be made at a value, in place of what was made since there were so many bytes left. */
export function mayRetry(scope: Budgeted, bytesBefore: number): boolean {
  const budget = budgetOf(scope)
  budget.bytes = bytesBefore
  budget.steps -= ATTEMPT
  return budget.steps >= 0
}

/** Whether there is time to test a value; what that took is said to `tested`. */
export function mayTest(scope: Budgeted, at: Position): boolean {
  if (budgetOf(scope).steps >= 0) return true
  noteCut(scope, at, 'what was not tested in time')
  return false
}

/** Counts the parts of a model that a value was tested against. */
export function tested(scope: Budgeted, parts: number): void {
  budgetOf(scope).steps -= parts * STEPS_PER_PART
}

/** Goes one level deeper, unless that is too deep; who did leaves it again. */
export function descends(scope: Budgeted, at: Position): boolean {
  const budget = budgetOf(scope)
  if (budget.level >= MAX_LEVELS) {
    noteCut(scope, at, `nothing below ${MAX_LEVELS} levels`)
    return false
  }
  budget.level++
  return true
}

/** Names what an answer does not have in full. */
export function noteCut(scope: Budgeted, at: Position, has: string): void {
  const budget = budgetOf(scope)
  if (budget.cut !== undefined) return
  budget.cut = `${positionName(at)} is cut, it has ${has}`
  noteLimit(`${scope.route}: ${budget.cut}`)
}
