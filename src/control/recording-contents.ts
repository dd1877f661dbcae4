import { InputInvalid, RecordingUnusable } from '../errors.ts'
import { compareExchanges } from '../recording/drift/compare-sample.ts'
import { recordedBaseline } from '../recording/drift/recorded-baseline.ts'
import { samplesIn } from '../recording/drift/recorded-routes.ts'
import { readExchangeLines } from '../recording/files/parts.ts'
import { REPORT } from './drift.ts'
import { defineOperation, fields, type ControlRequest } from './operation.ts'
import { directoriesOf } from './recordings.ts'

const text = { type: 'string' }
const count = { type: 'integer' }
const directory = { ...text, description: 'One of those that GET /__sim/recordings?all=true lists' }

/** What recordings hold, and what can be done with one. */
export const recordingContents = [
  defineOperation(
    'GET',
    '/recordings/exchanges',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'The exchanges of a recording, in order',
      input: fields(
        {
          directory,
          after: {
            ...count,
            minimum: 0,
            default: 0,
            description: 'The number of the last one that is known',
          },
          limit: { ...count, minimum: 1, maximum: 1000, default: 100 },
        },
        ['directory'],
      ),
      output: {
        type: 'array',
        items: fields({
          number: { ...count, description: 'Which line of the recording it is' },
          time: text,
          method: text,
          url: text,
          status: count,
          type: text,
          bytes: count,
          duration_ms: { type: 'number' },
        }),
      },
    },
    async ({ directory: name, after, limit }, request) => {
      const found: unknown[] = []
      for await (const { exchange, number } of readExchangeLines(await allowed(name, request))) {
        if (number <= Number(after)) continue
        if (found.length >= Number(limit)) break
        const { startedDateTime, time, request: sent, response } = exchange
        found.push({
          number,
          time: startedDateTime,
          method: sent.method,
          url: sent.url,
          status: response.status,
          type: response.content.mimeType,
          bytes: response.content.size,
          duration_ms: time,
        })
      }
      return found
    },
  ),
  defineOperation(
    'GET',
    '/recordings/exchange',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'One exchange of a recording, as an entry of HAR 1.2',
      input: fields({ directory, number: { ...count, minimum: 1 } }, ['directory', 'number']),
      output: { type: 'object' },
    },
    async ({ directory: name, number }, request) => {
      const own = await allowed(name, request)
      for await (const each of readExchangeLines(own)) if (each.number === number) return each.exchange
      throw invalid('number', `${own} has no such exchange`, number)
    },
  ),
  defineOperation(
    'GET',
    '/recordings/diff',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'How a recording differs from another one, by route',
      input: fields({ directory, against: directory }, ['directory', 'against']),
      output: REPORT,
    },
    async ({ directory: name, against }, request) => {
      const samples = samplesIn(await allowed(name, request))
      const expected = samplesIn(await allowed(against, request))
      return compareExchanges(samples(), await recordedBaseline(expected, samples))
    },
  ),
  defineOperation(
    'POST',
    '/recordings/replay',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'Answer everything from a recording from now on',
      description: 'The mode is then replay, for all sessions; PUT /__sim/modes ends it.',
      input: fields({ directory }, ['directory']),
      output: fields({ directory: text, mode: text }),
    },
    async ({ directory: name }, request) => {
      const own = await allowed(name, request)
      await request.readRecording(own)
      request.modes.set({ ...request.modes.settings, mode: 'replay' })
      return { directory: own, mode: 'replay' }
    },
  ),
  defineOperation(
    'POST',
    '/recordings/routes',
    {
      scope: 'gateway',
      tag: 'recordings',
      summary: 'Write what a recording shows as routes, fixtures and a report',
      description: 'To the folder of the same name with -routes at its end, as sim fixtures from does.',
      input: fields({ directory }, ['directory']),
      output: fields({ output: text, files: { type: 'array', items: text }, report: text }),
    },
    async ({ directory: name }, request) => {
      const own = await allowed(name, request)
      const output = `${own.replace(/(?<!\/)\/+$/, '')}-routes`
      if (request.makeRoutes === undefined)
        throw new RecordingUnusable('Routes are made by gateways that sim run and sim proxy start')
      return { output, ...(await request.makeRoutes(own, output)) }
    },
  ),
]

function invalid(field: string, msg: string, input: unknown): InputInvalid {
  return new InputInvalid([{ type: field, loc: ['query', field], msg, input }])
}

// Nothing else of the disk is shown.
async function allowed(name: unknown, request: ControlRequest): Promise<string> {
  const own = String(name)
  if ((await directoriesOf(request, true)).includes(own)) {
    for (const each of request.recorders.all()) if (each.directory === own) await each.flush()
    return own
  }
  throw invalid('directory', 'Not one that GET /__sim/recordings?all=true lists', own)
}
