import type { Schema } from '../../engine/schema/schema.ts'
import { isCalledInvalid } from './field-issues.ts'
import type { FieldIssue } from './refused-values.ts'
import type { Folded } from './fold-paths.ts'
import type { Sample } from './sample.ts'
import { type SegmentKind, segmentKind } from './values.ts'

/** What all values of a parameter are like, where others were refused. */
const MODELS: Partial<Record<SegmentKind, Schema>> = {
  number: { type: 'integer' },
  uuid: { type: 'string', format: 'uuid' },
}

/** Fewer different values say nothing of the others. */
const MIN_VALUES = 2

type Paths = Pick<Folded, 'parameters' | 'samples' | 'values'>

/** The models of the parameters of a path that are numbers or UUIDs in all that succeeded, where another form was called invalid. */
export function pathModels(folded: Paths): Readonly<Record<string, Schema>> {
  const { parameters, samples, values } = folded
  return Object.fromEntries(
    parameters.flatMap((name): [string, Schema][] => {
      // What is not there was looked for, so its form was taken.
      const isTaken = ({ status }: Sample): boolean => status < 400 || status === 404
      const taken = new Set(samples.flatMap((each) => (isTaken(each) ? [values(each)[name] ?? ''] : [])))
      const [kind, ...others] = new Set([...taken].map(segmentKind))
      const model = kind === undefined || others.length > 0 ? undefined : MODELS[kind]
      const isRefused = samples.some(
        (each) => isCalledInvalid(each) && segmentKind(values(each)[name] ?? '') !== kind,
      )
      return model !== undefined && isRefused && taken.size >= MIN_VALUES ? [[name, model]] : []
    }),
  )
}

/** The parameter of a path whose value has another form than its model, in a request that was called invalid. */
export function pathIssue(
  sample: Sample,
  { values }: Pick<Folded, 'values'>,
  models: Readonly<Record<string, Schema>>,
): FieldIssue | undefined {
  if (!isCalledInvalid(sample)) return undefined
  const [found] = Object.entries(values(sample)).filter(([name, value]) => {
    const model = models[name]
    return model !== undefined && MODELS[segmentKind(value)] !== model
  })
  return found && { field: found[0], type: 'type_error', value: found[1] }
}
