import type { Body } from '../fields.ts'
import type { Run } from './run.ts'

/** The outcome of a condition task: `true` or `false`. References to job parameters are replaced by their values. */
export function conditionOutcome(run: Run, task: Body): string {
  const { left, op, right } = task['condition_task'] as { left?: string; op?: string; right?: string }
  const [a, b] = [resolve(run, left), resolve(run, right)]
  return String(compare(op ?? 'EQUAL_TO', a, b))
}

function resolve(run: Run, value = ''): string {
  return value.replaceAll(/\{\{\s*job\.parameters\.([\w.-]+)\s*\}\}/g, (whole, name: string) => {
    const parameter = run.job_parameters.find((each) => each['name'] === name)
    return parameter ? ((parameter['value'] ?? parameter['default'] ?? '') as string) : whole
  })
}

function compare(op: string, left: string, right: string): boolean {
  if (op === 'EQUAL_TO') return left === right
  if (op === 'NOT_EQUAL') return left !== right
  const [a, b] = [Number(left), Number(right)]
  if (op === 'GREATER_THAN') return a > b
  if (op === 'GREATER_THAN_OR_EQUAL') return a >= b
  if (op === 'LESS_THAN') return a < b
  return a <= b
}
