import { expectTypeOf, it } from 'vitest'
import type { Exchange, Redacted } from '../../src/recording/exchange.ts'
import type { RecordingFiles } from '../../src/recording/files.ts'
import { redact } from '../../src/recording/redact.ts'

it('lets only redacted exchanges be written', () => {
  expectTypeOf(redact).returns.toEqualTypeOf<Redacted<Exchange>>()
  expectTypeOf<RecordingFiles['append']>().parameter(0).toEqualTypeOf<Redacted<Exchange>>()
  expectTypeOf<Exchange>().not.toExtend<Redacted<Exchange>>()
  expectTypeOf<Redacted<Exchange>>().toExtend<Exchange>()
})
