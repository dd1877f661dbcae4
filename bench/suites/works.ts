import type { Work } from '../harness/work.ts'
import { FORWARD_WORKS } from './forward.ts'
import { GENERATED_WORKS } from './generated.ts'
import { OPTION_WORKS } from './options.ts'
import { STATE_WORKS } from './state.ts'

/** All works that can be measured on their own, by `--row`. */
export const WORKS: readonly Work[] = [...GENERATED_WORKS, ...OPTION_WORKS, ...FORWARD_WORKS, ...STATE_WORKS]
