import { expectTypeOf, it } from 'vitest'
import type { Exchange, Redacted } from '../../../src/recording/files/exchange.ts'
import type { Recordable } from '../../../src/recording/capture/exchange-text.ts'
import { redact } from '../samples.ts'

it('lets only redacted exchanges be written', () => {
  expectTypeOf(redact).returns.toEqualTypeOf<Redacted<Exchange>>()
  expectTypeOf<string>().not.toExtend<Recordable>()
  expectTypeOf<Exchange>().not.toExtend<Recordable>()
  expectTypeOf<Redacted<Exchange>>().toExtend<Recordable>()
  expectTypeOf<Exchange>().not.toExtend<Redacted<Exchange>>()
  expectTypeOf<Redacted<Exchange>>().toExtend<Exchange>()
})
