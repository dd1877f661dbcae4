import type { Content, PostData } from '../exchange.ts'
import { readBody, readExchanges } from '../files.ts'
import { sampleOf, type Sample } from './sample.ts'

/**
 * Reads a recording as inference sees it.
 * @param onProgress called after every thousand exchanges with how many were read
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function readSamples(
  directory: string,
  onProgress?: (count: number) => void,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  for await (const exchange of readExchanges(directory)) {
    const { postData } = exchange.request
    const request = postData && (await stored(directory, postData))
    const response = await stored(directory, exchange.response.content)
    samples.push(sampleOf(exchange, samples.length, { request, response }))
    if (samples.length % 1000 === 0) onProgress?.(samples.length)
  }
  return samples
}

async function stored(directory: string, body: Content | PostData): Promise<Buffer | undefined> {
  return body._file === undefined ? undefined : readBody(directory, body)
}
