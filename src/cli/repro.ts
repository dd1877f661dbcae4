import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { ReproFailed, UsageInvalid } from '../errors.ts'
import { runRepro } from '../loaders/run-repro.ts'
import { TEXT, type Option } from '../pipeline/option.ts'
import type { Command, Given } from './command.ts'
import { readFlags } from './flags.ts'

interface ReproFlags {
  readonly url: string | undefined
  readonly out: string | undefined
  readonly session: string | undefined
  readonly adminToken: string | undefined
}

const DEFAULT_URL = 'http://127.0.0.1:8000'

const REPRO_FLAGS: Readonly<Record<keyof ReproFlags, Option>> = {
  url: {
    ...TEXT,
    flag: { name: 'url', describe: 'Where the gateway listens, $SIM_URL by default', otherwise: DEFAULT_URL },
  },
  out: { ...TEXT, flag: { name: 'out', describe: 'The folder to write', otherwise: 'repro-<id>' } },
  session: {
    ...TEXT,
    flag: { name: 'session', describe: 'The session of the request, where gateways share a state' },
  },
  adminToken: {
    ...TEXT,
    secret: true,
    flag: { name: 'admin-token', describe: 'The token of the control plane, $SIM_ADMIN_TOKEN by default' },
  },
}

interface Answered {
  readonly files: Readonly<Record<string, string | { readonly base64: string }>>
  readonly notes: readonly string[]
}

/** `sim repro <what>` */
export const repro: Command = {
  command: 'repro <what>',
  describe: 'Make a folder of a request that gives the same answer elsewhere, or run one',
  positionals: {
    what: {
      ...TEXT,
      describe:
        'The number of a request in the journal, a file that the page saved of one, or a folder to run',
    },
  },
  flags: [REPRO_FLAGS],
  examples: [
    ['$0 repro 12', 'Write repro-12 from the gateway on port 8000'],
    ['$0 repro 12 --url http://127.0.0.1:8080 --out /tmp/bug', 'Choose the gateway and the folder'],
    ['$0 repro repro-12.json', 'Write repro-12 from the file that the page saved'],
    ['$0 repro repro-12', 'Answer it again and compare; 0 for the same bytes, 1 for others'],
  ],
  async run({ what, ...given }: Given & { readonly what: string }) {
    if (existsSync(join(what, 'repro.json'))) return run(what)
    const flags = readFlags<ReproFlags>(given, REPRO_FLAGS)
    if (/\.json$/i.test(what)) {
      const folder = freeFolder(flags.out ?? basename(what).slice(0, -'.json'.length))
      return write(folder, readSaved(what))
    }
    const id = Number(what)
    if (!Number.isInteger(id) || id < 1)
      throw new UsageInvalid(
        `'${what}' is neither the number of a request, as GET /__sim/requests lists them, nor a folder with a repro.json, nor a .json file that the page saved`,
      )
    const folder = freeFolder(flags.out ?? `repro-${id}`)
    write(folder, await ask(id, flags))
  },
}

async function run(folder: string): Promise<void> {
  const { body, same, summary } = await runRepro(folder)
  process.stdout.write(body)
  if (!same) throw new ReproFailed(`\n${summary}`)
  process.stderr.write(`\n${summary}\n`)
}

/** @throws ReproFailed where it is taken */
function freeFolder(folder: string): string {
  if (existsSync(folder))
    throw new ReproFailed(`${resolve(folder)} is there already: name another folder with --out`)
  return folder
}

function write(shown: string, { files, notes }: Answered): void {
  const folder = resolve(shown)
  for (const [name, content] of Object.entries(files)) writeInside(folder, name, content)
  process.stdout.write(
    `${shown}: ${Object.keys(files).length} files. Run it: node ${join(shown, 'repro.mjs')}\n`,
  )
  for (const note of notes) process.stdout.write(`${note}\n`)
}

function readSaved(file: string): Answered {
  try {
    const { files, notes = [] } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Answered>
    if (files?.['repro.json'] !== undefined) return { files, notes }
  } catch (error) {
    throw new ReproFailed(`${file} could not be read: ${(error as Error).message}`, { cause: error })
  }
  throw new ReproFailed(`${file} has no folder of a request, as Repro on the page saves it`)
}

async function ask(id: number, { url, session, adminToken }: ReproFlags): Promise<Answered> {
  const base = url ?? process.env['SIM_URL'] ?? DEFAULT_URL
  const token = adminToken ?? process.env['SIM_ADMIN_TOKEN']
  const headers = {
    ...(session !== undefined && { 'x-sim-session': session }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  if (!URL.canParse(base)) throw new UsageInvalid(`--url must be a URL such as ${DEFAULT_URL}, not '${base}'`)
  let response: Response
  try {
    response = await fetch(new URL(`/__sim/requests/${id}/repro`, base), { headers })
  } catch (error) {
    const { cause } = error as { readonly cause?: Error }
    throw new ReproFailed(
      `No gateway answers at ${base}: ${(cause ?? (error as Error)).message}. Name it with --url`,
      {
        cause: error,
      },
    )
  }
  const body = (await response.json().catch(() => undefined)) as { readonly detail?: string } | undefined
  if (!response.ok)
    throw new ReproFailed(body?.detail ?? `${base} answered ${response.status}, as a control plane does not`)
  return body as unknown as Answered
}

// What a server names stays below the folder.
function writeInside(folder: string, name: string, content: Answered['files'][string]): void {
  const file = resolve(folder, name)
  if (!file.startsWith(folder + sep))
    throw new ReproFailed(`The gateway names a file outside the folder: ${name}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'), {
    flag: 'wx',
  })
}
