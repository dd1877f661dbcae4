import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { defineOperation, fields } from './operation.ts'

/** The recordings that the gateway writes and reads. */
export const recordings = defineOperation(
  'GET',
  '/recordings',
  {
    tag: 'gateway',
    summary: 'The recordings that are written or read',
    output: {
      type: 'array',
      items: fields({
        directory: { type: 'string' },
        bytes: { type: 'integer', description: 'Of the exchanges, without their large bodies' },
        bodies: { type: 'integer', description: 'Large bodies in files of their own' },
        changed: { type: 'string', format: 'date-time' },
      }),
    },
  },
  async (_input, request) => Promise.all(request.recordings.map(describe)),
)

async function describe(directory: string): Promise<unknown> {
  const file = await stat(join(directory, 'exchanges.ndjson')).catch(() => undefined)
  const bodies = await readdir(join(directory, 'bodies')).catch(() => [])
  return {
    directory,
    bytes: file?.size ?? 0,
    bodies: bodies.length,
    ...(file !== undefined && { changed: file.mtime.toISOString() }),
  }
}
