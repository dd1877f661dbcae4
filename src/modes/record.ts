import { forward } from './forward.ts'
import type { Mode } from './mode.ts'

/** Everything goes to its upstream and is saved. That there is a recorder was seen to when the mode was chosen. */
export const record: Mode = forward
