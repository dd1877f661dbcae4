import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InputInvalid } from '../errors.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
import { exchangesPath } from '../recording/files/lines.ts'
import { partsOf } from '../recording/files/parts.ts'
import { findRecordings } from '../recording/files/summary.ts'
import { defineOperation, fields, type ControlRequest } from './operation.ts'

/** Where recordings are that are begun while the gateway runs. */
const ROOT = 'recordings'

const OUTPUT: Schema = {
  type: 'array',
  items: fields({
    directory: { type: 'string' },
    bytes: { type: 'integer', description: 'Of the exchanges, without their large bodies' },
    bodies: { type: 'integer', description: 'Large bodies in files of their own' },
    changed: { type: 'string', format: 'date-time' },
    recording: { type: 'boolean', description: 'Whether what is forwarded is added to it now' },
    stopped: { type: 'string', description: 'Why nothing is added to it any more' },
  }),
}

/** The recordings that the gateway writes and reads. */
export const recordings = [
  defineOperation(
    'GET',
    '/recordings',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'The recordings that are written or read',
      input: fields({
        all: {
          type: 'boolean',
          description: 'Also those in the folder recordings, which may be read and compared',
        },
      }),
      output: OUTPUT,
    },
    ({ all }, request) => describeAll(request, all === true),
  ),
  defineOperation(
    'POST',
    '/recordings/start',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'Add what is forwarded to a recording from now on',
      description:
        'To the one that is named, in the folder recordings below the working directory; to the one of --record ' +
        'where none is named. Another one that is written stops.',
      input: fields({ name: { type: 'string', pattern: '^\\w[\\w.-]{0,99}$' } }),
      output: OUTPUT,
    },
    async ({ name }, request) => {
      const [first] = request.recorders()
      if (name === undefined && first === undefined)
        throw new InputInvalid([
          {
            type: 'name',
            loc: ['body', 'name'],
            msg: 'Nothing was recorded yet: name a recording',
            input: null,
          },
        ])
      await request.startRecording(name === undefined && first ? first.directory : join(ROOT, String(name)))
      return describeAll(request)
    },
  ),
  defineOperation(
    'POST',
    '/recordings/stop',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'Add nothing more to recordings, until that is resumed or started again',
      output: OUTPUT,
    },
    async (_input, request) => {
      for (const each of request.recorders()) await each.stop()
      return describeAll(request)
    },
  ),
  defineOperation(
    'POST',
    '/recordings/resume',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'Go on with recordings that have stopped',
      description:
        'A line that was not written whole is cut off. An error says why where recording still cannot go on.',
      output: OUTPUT,
    },
    async (_input, request) => {
      for (const each of request.recorders()) await each.resume()
      return describeAll(request)
    },
  ),
]

/** The directories of the recordings that are written or read. @param all also of others that may be */
export async function directoriesOf(request: ControlRequest, all = false): Promise<readonly string[]> {
  const used = [...request.recordings, ...request.recorders().map(({ directory }) => directory)]
  const others = all ? await findRecordings(ROOT) : []
  return [...new Set([...used, ...others])]
}

async function describeAll(request: ControlRequest, all = false): Promise<unknown[]> {
  const directories = await directoriesOf(request, all)
  return Promise.all(
    directories.map((directory) =>
      describe(
        directory,
        request.recorders().find((each) => each.directory === directory),
      ),
    ),
  )
}

async function describe(directory: string, recorder: Recorder | undefined): Promise<unknown> {
  const stopped = await recorder?.stopped()
  const parts = await Promise.all((await partsOf(directory)).map(filesOf))
  const changed = parts.map((part) => part.changed).toSorted((a, b) => a - b)
  return {
    directory,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    bodies: parts.reduce((sum, { bodies }) => sum + bodies, 0),
    ...(changed.length > 0 && { changed: new Date(changed.at(-1) ?? 0).toISOString() }),
    ...(recorder !== undefined && { recording: stopped === undefined }),
    ...(stopped !== undefined && { stopped: stopped.reason }),
  }
}

async function filesOf(
  directory: string,
): Promise<{ readonly bytes: number; readonly bodies: number; readonly changed: number }> {
  const { size, mtimeMs } = await stat(exchangesPath(directory)).catch(() => ({ size: 0, mtimeMs: 0 }))
  const bodies = await readdir(join(directory, 'bodies')).catch(() => [])
  return { bytes: size, bodies: bodies.length, changed: mtimeMs }
}
