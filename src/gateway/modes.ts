import { diff } from './modes/diff.ts'
import { forward } from './modes/forward.ts'
import type { Mode } from './modes/mode.ts'
import type { ModeName } from './modes/mode-name.ts'
import { newEpisodes } from './modes/new-episodes.ts'
import { record } from './modes/record.ts'
import { replay } from './modes/replay.ts'
import { simulate } from './modes/simulate.ts'
import { spy } from './modes/spy.ts'
import { visitOf } from './visit.ts'

const MODES: Readonly<Record<ModeName, Mode>> = {
  simulate,
  forward,
  record,
  replay,
  spy,
  'new-episodes': newEpisodes,
  diff,
}

/** Answers a request in the mode that was chosen for it. */
export const answerByMode: Mode = (request, reply, answerers) =>
  MODES[visitOf(request).mode](request, reply, answerers)
