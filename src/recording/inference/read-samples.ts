import type { Content, PostData } from '../files/exchange.ts'
import { readBody, readExchanges } from '../files/recording-files.ts'
import { createBodies, type Bodies } from './bodies.ts'
import { isAnswered, sampleOf, type Sample } from './sample.ts'

/**
 * Reads a recording as inference sees it.
 * @param onProgress called after every thousand exchanges with how many were read
 * @param mostBytes of different bodies that are looked into; the others are left out
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function readSamples(
  directory: string,
  onProgress?: (count: number) => void,
  mostBytes = Infinity,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  const bodies = createBodies(mostBytes)
  for await (const sample of eachSample(directory, { onProgress, bodies })) samples.push(sample)
  return samples
}

/** How a recording is read. */
export interface Reading {
  /** Called after every thousand exchanges with how many were read. */
  readonly onProgress?: ((count: number) => void) | undefined
  /** What keeps the bodies, where equal ones are to be one. */
  readonly bodies?: Bodies
  /** Which bodies are read that lie in files of their own. */
  readonly isWanted?: (body: Content | PostData) => boolean
}

/**
 * Reads a recording one exchange at a time.
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function* eachSample(
  directory: string,
  { onProgress, bodies, isWanted = () => true }: Reading,
): AsyncGenerator<Sample> {
  const stored = async (body: Content | PostData): Promise<Buffer | undefined> =>
    body._file !== undefined && isWanted(body) ? readBody(directory, body) : undefined
  let count = 0
  for await (const exchange of readExchanges(directory)) {
    if (!isAnswered(exchange)) continue
    const { postData } = exchange.request
    const request = postData && (await stored(postData))
    const response = await stored(exchange.response.content)
    yield sampleOf(exchange, count++, { request, response }, bodies)
    if (count % 1000 === 0) onProgress?.(count)
  }
}
