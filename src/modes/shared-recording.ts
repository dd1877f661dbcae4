import type { Recorder } from '../recording/capture/recorder.ts'
import type { Hold, OwnedState } from '../state/world.ts'

/**
 * The recording that mode `new-episodes` adds to where several gateways share a state: the one that holds it answers,
 * and writes to it. What there is of it is on a disk that they share, so that nothing of it is kept with the state.
 */
export interface SharedRecording extends OwnedState {
  readonly directory: string
  readonly isHeld: boolean
  /** Records while this gateway holds it; absent where it never has. */
  recorder(): Recorder | undefined
}

/** No adapter is called so. */
const NAME = '@recording'

/**
 * The recording in a directory, which this gateway does not hold yet.
 * @param open called when it first does
 * @param isOn whether it is to be added to, as requests of the control plane say
 */
export function createSharedRecording(
  directory: string,
  open: (confirm: () => Promise<void>) => Promise<Recorder>,
  isOn: () => boolean,
): SharedRecording {
  let hold: Hold | undefined
  let recorder: Recorder | undefined
  const confirm = async (): Promise<void> => hold?.confirm()
  // Whoever does not hold it must not even open its files: a line that looks torn may be half of what another writes.
  const guarded = (own: Recorder): Recorder => ({
    ...own,
    stop: async (why) => (hold === undefined ? undefined : own.stop(why)),
    resume: async () => (hold === undefined ? undefined : own.resume()),
  })
  return {
    ...{ name: NAME, family: NAME, directory },
    get isHeld() {
      return hold !== undefined
    },
    recorder: () => recorder,
    async begin(given) {
      hold = given
      const own = (recorder ??= guarded(await open(confirm)))
      await (isOn() ? own.resume() : own.stop('requested'))
    },
    async leave() {
      await recorder?.stop('elsewhere')
      hold = undefined
    },
    restore: () => undefined,
    redo: () => undefined,
    snapshot: () => undefined,
    counts: () => '',
    setCounts: () => undefined,
    take: () => ({ entries: [], since: 'before' }),
    settled: async (work) => work(),
  }
}
