import { StateUnusable, UsageInvalid } from '../errors.ts'
import { jsonText } from '../loaders/write-file.ts'
import { FLAG, type Option } from '../pipeline/option.ts'
import { examine, seenGateways, type Examined } from '../state/redis/examine.ts'
import { commonKeys } from '../state/redis/keys.ts'
import { publishChanges } from '../state/redis/publish.ts'
import { pairsOf } from '../state/redis/scripts.ts'
import { emptySession, storedCollections } from '../state/redis/session-items.ts'
import { SessionKeys } from '../state/redis/session-keys.ts'
import { JSON_FLAG, toggle, type Command } from './command.ts'
import { readFlags } from './flags.ts'
import { sayBehind, SERVER_FLAGS, SESSION_FLAGS, sessionOf, titleOf, withState } from './state-server.ts'
import { restore, snapshot } from './state-snapshot.ts'
import { counted, sizeText, table } from './text.ts'

const check: Command = {
  command: 'check',
  describe: 'Say what the server of a shared state is like, and all that is unsafe',
  flags: [SERVER_FLAGS, { json: JSON_FLAG }],
  examples: [['$0 state check --state redis://127.0.0.1:6379', 'Ends with 1 if no gateway could use it']],
  run: (given) =>
    withState(given, async ({ server, name, namespace }) => {
      const { json = false } = readFlags<{ readonly json?: boolean }>(given, { json: JSON_FLAG })
      const found = await examine(server, namespace)
      process.stdout.write(json ? jsonText({ name, ...found }) : textOf(name, found))
      if (found.problems.length > 0) throw new StateUnusable(found.problems)
    }),
}

function textOf(name: string, found: Examined): string {
  const { usedBytes, maxBytes, gateways, clockOffsetMs } = found
  const names = gateways.map((each) => `${each.name} (version ${each.version})`)
  const rows = [
    ['server', `${found.engine} at ${found.server}, ${found.mode}, ${found.role}`],
    ['memory', `${sizeText(usedBytes)}${maxBytes > 0 ? ` of ${sizeText(maxBytes)}` : ''}, ${found.policy}`],
    ['persistence', found.persistence],
    ['round trip', `${found.roundTripMs.toFixed(2)} ms`],
    ['clock', `${clockOffsetMs.toFixed(1)} ms ahead, ±${found.clockErrorMs.toFixed(1)} ms`],
    ['name', `${name}: ${counted(found.sessions, 'session')}, version ${found.version}`],
    ['gateways', names.length === 0 ? 'none' : names.join(', ')],
    ...found.warnings.map((each) => ['warning', each]),
  ]
  return rows.map(([title = '', text = '']) => `${title.padEnd(12)} ${text}\n`).join('')
}

const inspect: Command = {
  command: 'inspect',
  describe: 'List the sessions of a shared state, or the collections of one',
  flags: [SERVER_FLAGS, SESSION_FLAGS, { json: JSON_FLAG }],
  examples: [['$0 state inspect --session worker-1', 'How many items each of its collections has']],
  run: (given) =>
    withState(given, async ({ server, namespace }) => {
      const { json = false } = readFlags<{ readonly json?: boolean }>(given, { json: JSON_FLAG })
      const { session } = readFlags<{ readonly session: string | undefined }>(given, SESSION_FLAGS)
      if (session !== undefined) {
        const found = await storedCollections(server, new SessionKeys(namespace, session))
        const shown = found.map(({ path, items, assigned }) => ({ path, items, assigned }))
        if (json) process.stdout.write(jsonText(shown))
        else if (shown.length === 0)
          process.stdout.write(`Nothing was stored yet in ${titleOf(session)}: it is as the app begins\n`)
        else
          process.stdout.write(
            table(
              ['collection', 'items', 'ids assigned'],
              shown.map(({ path, items, assigned }) => [path, items, assigned]),
            ),
          )
        return
      }
      const flat = (await server.command(
        ['ZREVRANGE', commonKeys(namespace).sessions, '0', '-1', 'WITHSCORES'],
        true,
      )) as string[]
      const used = pairsOf(flat).map(([key, at]) => [key, new Date(Number(at)).toISOString()])
      const rows = []
      for (const [key = '', at = ''] of [['', ''], ...used]) {
        const stored = await storedCollections(server, new SessionKeys(namespace, key))
        const items = stored.reduce((sum, each) => sum + each.items, 0)
        rows.push({ key, collections: stored.length, items, ...(at !== '' && { used: at }) })
      }
      if (json) process.stdout.write(jsonText(rows))
      else
        process.stdout.write(
          table(
            ['session', 'collections', 'items', 'last used'],
            rows.map((row) => [row.key || '(none)', row.collections, row.items, row.used ?? '']),
          ),
        )
    }),
}

const RESET_FLAGS: Readonly<Record<'all', Option>> = { all: toggle('all', 'Reset all sessions') }

const reset: Command = {
  command: 'reset',
  describe: 'Have a session begin again on all gateways: items, counts, journal, chaos, clock and seed',
  flags: [SERVER_FLAGS, SESSION_FLAGS, RESET_FLAGS],
  examples: [['$0 state reset --all', 'As if the gateways had just begun']],
  run: (given) =>
    withState(given, async ({ server, namespace }) => {
      const { all = false } = readFlags<{ readonly all?: boolean }>(given, RESET_FLAGS)
      const others = all
        ? ((await server.command(['ZRANGE', commonKeys(namespace).sessions, '0', '-1'], true)) as string[])
        : []
      const sessions = all ? ['', ...others] : [sessionOf(given)]
      const behind = await publishChanges(server, namespace, async () => {
        for (const session of sessions) await emptySession(server, new SessionKeys(namespace, session))
        return sessions.map((session) => [session, 'ended', ''])
      })
      const [one = ''] = sessions
      process.stdout.write(`Reset ${all ? counted(sessions.length, 'session') : titleOf(one)}\n`)
      sayBehind(behind)
    }),
}

const CLEAR_FLAGS: Readonly<Record<'force', Option>> = {
  force: { ...FLAG, flag: { name: 'force', describe: 'Even while gateways use it: they answer 503 then' } },
}

const clear: Command = {
  command: 'clear',
  describe: 'Take away all that is kept under a name',
  flags: [SERVER_FLAGS, CLEAR_FLAGS],
  examples: [['$0 state clear --name shop-staging', 'Nothing of it is left']],
  run: (given) =>
    withState(given, async ({ server, name, namespace }) => {
      const { force = false } = readFlags<{ readonly force?: boolean }>(given, CLEAR_FLAGS)
      const living = await seenGateways(server, commonKeys(namespace).gateways)
      if (living.length > 0 && !force)
        throw new UsageInvalid(
          `${living.map((each) => each.name).join(', ')} ${living.length === 1 ? 'uses' : 'use'} ${name}: end them first, or give --force`,
        )
      let removed = 0
      // All that is common is `sim:{name}`, and a session `sim:{name/key}`.
      const pattern = `${namespace.slice(0, -1)}[}/]*`
      for (const primary of server.primaries) {
        let cursor = '0'
        do {
          const [next, keys] = (await primary.send(
            ['SCAN', cursor, 'MATCH', pattern, 'COUNT', '1000'],
            true,
          )) as [string, string[]]
          // One by one, since those of two sessions need not be on one node of a cluster.
          const counts = await Promise.all(keys.map((key) => server.command(['UNLINK', key])))
          removed += counts.reduce<number>((sum, count) => sum + Number(count), 0)
          cursor = next
        } while (cursor !== '0')
      }
      process.stdout.write(`Took away ${counted(removed, 'key')} of ${name}\n`)
    }),
}

/** `sim state check|inspect|snapshot|restore|reset|clear` */
export const state: Command = {
  command: 'state',
  describe: 'Look at the state that gateways share, save, restore, reset and clear it',
  commands: [check, inspect, snapshot, restore, reset, clear],
  missing: 'Name what to do: check, inspect, snapshot, restore, reset or clear',
}
