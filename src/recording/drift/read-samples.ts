import { eachSample } from '../inference/read-samples.ts'
import type { Sample } from '../inference/sample.ts'
import { kindOf } from '../files/media.ts'

/** Reads samples one after another, as often as it is called. */
export type ReadSamples = () => AsyncIterable<Sample> | Iterable<Sample>

/**
 * Reads a recording one exchange at a time.
 * @param onProgress called after every thousand exchanges with how many were read
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export function samplesIn(directory: string, onProgress?: (count: number) => void): ReadSamples {
  // Of other bodies nothing is compared, and they may be of any size.
  return () => eachSample(directory, { onProgress, isWanted: ({ mimeType }) => kindOf(mimeType) === 'json' })
}
