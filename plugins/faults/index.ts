import { empty } from './empty.ts'
import type { Fault } from './fault.ts'
import { garbage } from './garbage.ts'
import { hang } from './hang.ts'
import { inStreams } from './in-stream.ts'
import { reset } from './reset.ts'
import { slowBody } from './slow-body.ts'
import { truncate } from './truncate.ts'

/** Every fault there is. */
export const FAULTS: readonly Fault[] = [reset, empty, truncate, garbage, hang, slowBody, ...inStreams]
