import type { Mode } from './mode.ts'
import { spy } from './spy.ts'

/** What is recorded is replayed, everything else goes to its upstream and is saved, to be replayed from then on. */
export const newEpisodes: Mode = async (exchange, parts) =>
  spy(exchange, { ...parts, recorder: await parts.newEpisodesRecorder() })
