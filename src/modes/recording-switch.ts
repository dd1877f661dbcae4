import type { Recorder } from '../recording/capture/recorder.ts'

/** Whether what is forwarded is recorded, as requests of the control plane say: of all gateways that share a state. */
export interface RecordingSwitch {
  readonly isOn: boolean
  /** @throws RecordingUnusable where recording cannot go on */
  set(isOn: boolean): Promise<void>
  export(): string
  /** @throws RecordingUnusable */
  import(text: string): Promise<void>
}

/** Everything is recorded. */
export function createRecordingSwitch(recorders: () => readonly Recorder[]): RecordingSwitch {
  // Recording that has stopped by itself goes on by the same request twice, too.
  let [isOn, times] = [true, 0]
  const put = async (next: boolean): Promise<void> => {
    isOn = next
    for (const each of recorders()) await (isOn ? each.resume() : each.stop())
  }
  return {
    get isOn() {
      return isOn
    },
    async set(next) {
      await put(next)
      times++
    },
    export: () => JSON.stringify([isOn, times]),
    async import(text) {
      const [next, count] = JSON.parse(text) as [boolean, number]
      times = count
      await put(next)
    },
  }
}
