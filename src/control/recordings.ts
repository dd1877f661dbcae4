import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InputInvalid } from '../errors.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { exchangesPath } from '../recording/files/lines.ts'
import { partsOf } from '../recording/files/parts.ts'
import { findRecordings } from '../recording/files/summary.ts'
import { defineOperation, fields, nameGateway, type ControlRequest } from './operation.ts'

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
    writer: {
      type: 'string',
      description: 'The gateway that adds to it for all that share the state, while one does',
    },
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
      const [first] = request.recorders.own
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
      scope: { changes: ['recording'] },
      tag: 'recordings',
      summary: 'Add nothing more to recordings, until that is resumed or started again',
      description: 'Of all gateways that share a state. The answer is about those of the one that answers.',
      output: OUTPUT,
    },
    (_input, request) => turn(request, false),
  ),
  defineOperation(
    'POST',
    '/recordings/resume',
    {
      scope: { changes: ['recording'] },
      tag: 'recordings',
      summary: 'Go on with recordings that have stopped',
      description:
        'Of all gateways that share a state. A line that was not written whole is cut off. An error says why where ' +
        'recording still cannot go on.',
      output: OUTPUT,
    },
    (_input, request) => turn(request, true),
  ),
]

/** The directories of the recordings that are written or read. @param all also of others that may be */
export async function directoriesOf(request: ControlRequest, all = false): Promise<readonly string[]> {
  const used = [...request.recordings, ...request.recorders.all().map(({ directory }) => directory)]
  const others = all ? await findRecordings(ROOT) : []
  return [...new Set([...used, ...others])]
}

async function turn(request: ControlRequest, isOn: boolean): Promise<unknown[]> {
  await request.recorders.switch.set(isOn)
  nameGateway(request)
  return describeAll(request)
}

async function describeAll(request: ControlRequest, all = false): Promise<unknown[]> {
  const directories = await directoriesOf(request, all)
  return Promise.all(directories.map((directory) => describe(directory, request)))
}

async function describe(directory: string, { recorders, writerOf }: ControlRequest): Promise<unknown> {
  const recorder = recorders.all().find((each) => each.directory === directory)
  const stopped = await recorder?.stopped()
  const isHere = recorder !== undefined && stopped?.why !== 'elsewhere'
  const writer = await writerOf(directory)
  const parts = await Promise.all((await partsOf(directory)).map(filesOf))
  const changed = parts.map((part) => part.changed).toSorted((a, b) => a - b)
  return {
    directory,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    bodies: parts.reduce((sum, { bodies }) => sum + bodies, 0),
    ...(changed.length > 0 && { changed: new Date(changed.at(-1) ?? 0).toISOString() }),
    ...(isHere && { recording: stopped === undefined }),
    ...(isHere && stopped !== undefined && { stopped: stopped.reason }),
    ...(writer !== undefined && { writer }),
  }
}

async function filesOf(
  directory: string,
): Promise<{ readonly bytes: number; readonly bodies: number; readonly changed: number }> {
  const { size, mtimeMs } = await stat(exchangesPath(directory)).catch(() => ({ size: 0, mtimeMs: 0 }))
  const bodies = await readdir(join(directory, 'bodies')).catch(() => [])
  return { bytes: size, bodies: bodies.length, changed: mtimeMs }
}
