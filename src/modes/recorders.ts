import type { Recorder } from '../recording/capture/recorder.ts'
import { createRecordingSwitch, type RecordingSwitch } from './recording-switch.ts'
import { createSharedRecording, type SharedRecording } from './shared-recording.ts'

/** What saves what a gateway forwards. */
export interface Recorders {
  /** Saves all that is forwarded; absent where that was not wanted from the beginning. */
  readonly first: Recorder | undefined
  /** What mode `new-episodes` adds to, where one of several gateways does; absent elsewhere. */
  readonly shared: SharedRecording | undefined
  readonly switch: RecordingSwitch
  /** Those that no other gateway writes with. */
  readonly own: readonly Recorder[]
  all(): readonly Recorder[]
  /** Saves what mode `new-episodes` forwards. */
  newEpisodes(): Promise<Recorder | undefined>
  /** Makes what mode `new-episodes` adds to. @throws RecordingUnusable */
  makeNewEpisodes(): Promise<void>
  /** Saves to this directory from now on, and to no other. @throws RecordingUnusable */
  start(directory: string): Promise<Recorder>
}

/** Where a gateway saves what it forwards. */
export interface RecordersOptions {
  /** Where all of it is saved. */
  readonly record: string | undefined
  /** What is replayed, to which mode `new-episodes` adds where nothing else is saved. */
  readonly recording: string | undefined
  /** Whether other gateways of a shared state do as this one. */
  readonly isShared: boolean | undefined
}

async function makeEmpty(directory: string): Promise<void> {
  const { makeRecording } = await import('../recording/files/make-recording.ts')
  await makeRecording(directory)
}

/** @throws RecordingUnusable */
export async function openRecorders(
  open: (directory: string, confirm?: () => Promise<void>) => Promise<Recorder>,
  { record, recording, isShared = false }: RecordersOptions,
): Promise<Recorders> {
  const first = record === undefined ? undefined : await open(record)
  const own = first === undefined ? [] : [first]
  const all = (): readonly Recorder[] => {
    const other = shared?.recorder()
    return other === undefined ? own : [...own, other]
  }
  const recordingSwitch = createRecordingSwitch(all)
  const add = async (directory: string): Promise<Recorder> => {
    const opened = await open(directory)
    own.push(opened)
    return opened
  }
  const shared =
    isShared && first === undefined && recording !== undefined
      ? createSharedRecording(
          recording,
          (confirm) => open(recording, confirm),
          () => recordingSwitch.isOn,
        )
      : undefined
  let added: Promise<Recorder> | undefined
  const newEpisodes = async (): Promise<Recorder | undefined> => {
    if (shared !== undefined) return shared.recorder()
    return first ?? (recording === undefined ? undefined : (added ??= add(recording)))
  }
  return {
    ...{ first, shared, own, all, newEpisodes, switch: recordingSwitch },
    async makeNewEpisodes() {
      await (shared === undefined ? newEpisodes() : makeEmpty(shared.directory))
    },
    async start(directory) {
      const known = own.find((each) => each.directory === directory)
      await known?.resume()
      const started = known ?? (await add(directory))
      for (const each of own) if (each !== started) await each.stop()
      return started
    },
  }
}
