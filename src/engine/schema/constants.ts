import type { Stream } from '../random.ts'
import { affords } from './budget.ts'
import { copyValue } from './copy-value.ts'
import { withWriter, type Generate, type Scope, type Write } from './generate.ts'
import type { Position } from './position.ts'

/** One of some values. Objects are copied, so that whoever changes an answer does not change the model. */
export function compileConstants(values: readonly unknown[], at: Position): Generate {
  const [only] = values
  const isCopied = values.some((value) => typeof value === 'object')
  const choose: Generate = isCopied
    ? (stream) => copyValue(stream.pick(values))
    : values.length === 1
      ? () => only
      : (stream) => stream.pick(values)
  const encoded = values.map((value) => Buffer.from(JSON.stringify(value) ?? 'null'))
  const write: Write = (sink, stream) => sink.raw(stream.pick(encoded) ?? NULL)
  if (encoded.every(({ length }) => length < LONG)) return withWriter(choose, write)
  const indexes = [...values.keys()]
  const chosen = (stream: Stream, scope: Scope): number | undefined => {
    const index = stream.pick(indexes) ?? 0
    return affords(scope, encoded[index]?.length ?? 0, at) ? index : undefined
  }
  return withWriter(
    (stream, scope) => {
      const index = chosen(stream, scope)
      return index === undefined ? null : copyValue(values[index])
    },
    (sink, stream, scope) => sink.raw(encoded[chosen(stream, scope) ?? -1] ?? NULL),
  )
}

// Shorter ones are part of what a field costs.
const LONG = 256
const NULL = Buffer.from('null')
