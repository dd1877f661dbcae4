import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Schema } from '../engine/schema/schema.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
import { defineOperation, fields, type ControlRequest } from './operation.ts'

const OUTPUT: Schema = {
  type: 'array',
  items: fields({
    directory: { type: 'string' },
    bytes: { type: 'integer', description: 'Of the exchanges, without their large bodies' },
    bodies: { type: 'integer', description: 'Large bodies in files of their own' },
    changed: { type: 'string', format: 'date-time' },
    stopped: { type: 'string', description: 'Why nothing is added to it any more' },
  }),
}

/** The recordings that the gateway writes and reads. */
export const recordings = defineOperation(
  'GET',
  '/recordings',
  { tag: 'gateway', summary: 'The recordings that are written or read', output: OUTPUT },
  (_input, request) => describeAll(request),
)

/** Goes on to record. */
export const resume = defineOperation(
  'POST',
  '/recordings/resume',
  {
    tag: 'gateway',
    summary: 'Go on with recordings that have stopped',
    description:
      'A line that was not written whole is cut off. An error says why where recording still cannot go on.',
    output: OUTPUT,
  },
  async (_input, request) => {
    for (const each of request.recorders()) await each.resume()
    return describeAll(request)
  },
)

function describeAll({ recordings: all, recorders }: ControlRequest): Promise<unknown[]> {
  return Promise.all(
    all.map((directory) =>
      describe(
        directory,
        recorders().find((each) => each.directory === directory),
      ),
    ),
  )
}

async function describe(directory: string, recorder: Recorder | undefined): Promise<unknown> {
  const stopped = await recorder?.stopped()
  const file = await stat(join(directory, 'exchanges.ndjson')).catch(() => undefined)
  const bodies = await readdir(join(directory, 'bodies')).catch(() => [])
  return {
    directory,
    bytes: file?.size ?? 0,
    bodies: bodies.length,
    ...(file !== undefined && { changed: file.mtime.toISOString() }),
    ...(stopped !== undefined && { stopped: stopped.reason }),
  }
}
