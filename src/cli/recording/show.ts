import { UsageInvalid } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { oneOf, TEXT, whole, type Option } from '../../pipeline/option.ts'
import type { Content, Exchange, PostData } from '../../recording/exchange.ts'
import { readExchanges } from '../../recording/files/recording-files.ts'
import { readBody } from '../../recording/files/read-body.ts'
import type { Select } from '../../recording/files/select.ts'
import { toCurl, toHar, toPostman, type WithBodies } from '../../recording/formats/export.ts'
import { version } from '../command-line.ts'
import { toggle, type Command, type Given } from '../command.ts'
import { readFlags } from '../flags.ts'
import { sizeText, table } from '../text.ts'
import { readSelect, SELECT_FLAGS } from './select-flags.ts'

const FORMATS = ['table', 'json', 'har', 'curl', 'postman'] as const

interface ShowFlags {
  readonly format: (typeof FORMATS)[number] | undefined
  readonly json: boolean | undefined
}

const FLAGS: Readonly<Record<keyof ShowFlags, Option>> = {
  format: {
    ...oneOf(FORMATS),
    flag: {
      name: 'format',
      describe: 'curl and postman are for requests to make again',
      otherwise: 'table',
    },
  },
  json: toggle('json', 'Print JSON, as --format json does'),
}

interface ShowGiven extends Given {
  readonly recording: string
  readonly number: number | undefined
}

/** `sim recordings show <recording> [number]` */
export const showRecording: Command = {
  command: 'show <recording> [number]',
  describe: 'Show the exchanges of a recording, or one of them',
  positionals: {
    recording: { ...TEXT, describe: 'Directory of the recording' },
    number: { ...whole(1), describe: 'Which exchange; 1 is the first' },
  },
  flags: [SELECT_FLAGS, FLAGS],
  examples: [
    ['$0 recordings show recordings/today --status 500', 'What failed'],
    ['$0 recordings show recordings/today 3 --format curl', 'The third as a curl command'],
  ],
  async run({ recording, number, ...given }: ShowGiven) {
    const { json, format = json === true ? 'json' : 'table' } = readFlags<ShowFlags>(given, FLAGS)
    const chosen = await choose(recording, number, readSelect(given))
    const write = number !== undefined && format === 'table' ? writeOne : WRITERS[format]
    process.stdout.write(await write(chosen, recording))
  },
}

interface Numbered {
  readonly number: number
  readonly exchange: Exchange
}

type Write = (chosen: readonly Numbered[], recording: string) => string | Promise<string>

async function choose(recording: string, number: number | undefined, select: Select): Promise<Numbered[]> {
  const chosen: Numbered[] = []
  let count = 0
  for await (const exchange of readExchanges(recording)) {
    count++
    if ((number === undefined || number === count) && select(exchange))
      chosen.push({ number: count, exchange })
  }
  if (number !== undefined && chosen.length === 0)
    throw new UsageInvalid(
      `${recording} has ${count} exchanges, and none with the number ${number} that fits`,
    )
  return chosen
}

const WRITERS: Readonly<Record<(typeof FORMATS)[number], Write>> = {
  table: (chosen) =>
    chosen.length === 0
      ? 'No exchange fits\n'
      : table(
          ['#', 'started', 'method', 'url', 'status', 'type', 'size', 'ms'],
          chosen.map(({ number, exchange: { startedDateTime, request, response, time } }) => [
            number,
            startedDateTime,
            request.method,
            request.url,
            response.status,
            response.content.mimeType,
            sizeText(response.content.size),
            Math.round(time),
          ]),
        ),
  json: (chosen) => jsonText(chosen.map(({ exchange }) => exchange)),
  har: async (chosen, recording) =>
    jsonText(await toHar(iterate(chosen), version(), (body) => readBody(recording, body))),
  curl: async (chosen, recording) => {
    const commands = await Promise.all(chosen.map((each) => withBodies(each, recording)))
    return commands.map(({ exchange, requestBody }) => `${toCurl(exchange, requestBody)}\n`).join('')
  },
  postman: async (chosen, recording) =>
    jsonText(toPostman(recording, await Promise.all(chosen.map((each) => withBodies(each, recording))))),
}

async function writeOne(chosen: readonly Numbered[], recording: string): Promise<string> {
  const shown = await Promise.all(chosen.map((each) => withBodies(each, recording)))
  return shown
    .map(({ exchange: { request, response, time }, requestBody, responseBody }) =>
      [
        `${request.method} ${request.url}`,
        ...request.headers.map(({ name, value }) => `${name}: ${value}`),
        ...(requestBody === undefined ? [] : ['', requestBody]),
        '',
        `${response.status} ${response.statusText} (${Math.round(time)} ms)`,
        ...response.headers.map(({ name, value }) => `${name}: ${value}`),
        '',
        responseBody ?? '(no text)',
        '',
      ].join('\n'),
    )
    .join('\n')
}

async function withBodies({ exchange }: Numbered, recording: string): Promise<WithBodies> {
  const { postData } = exchange.request
  return {
    exchange,
    requestBody: postData && (await textOf(postData, recording)),
    responseBody: await textOf(exchange.response.content, recording),
  }
}

async function textOf(body: Content | PostData, recording: string): Promise<string | undefined> {
  return (await readBody(recording, body))?.toString('utf8')
}

async function* iterate(chosen: readonly Numbered[]): AsyncGenerator<Exchange> {
  for (const { exchange } of chosen) yield exchange
}
