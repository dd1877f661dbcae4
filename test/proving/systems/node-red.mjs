import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

const PROGRAM = join(import.meta.dirname, '../node_modules/node-red/red.js')

const WHOLE = 'a change is answered by the id alone, and flows are read as parts of a list of all nodes, too'
export const short = { 'held out': WHOLE, checks: WHOLE, 'by rule': WHOLE }

export function start(directory) {
  // Its settings are CommonJS, wherever the folder lies.
  writeFileSync(join(directory, 'package.json'), '{}')
  return startServer(
    process.execPath,
    (port) => [
      ...[PROGRAM, '-p', String(port), '-u', directory],
      ...['-D', 'uiHost=127.0.0.1', '-D', 'logging.console.level=off'],
    ],
    { isUp: async (url) => (await fetch(`${url}/flows`)).ok },
  )
}

export async function session(base, which, check) {
  const c = jsonClient(base, { 'node-red-api-version': 'v2', accept: 'application/json' })
  const [labels, code] =
    which === 'A' ? [['Alpha', 'Beta', 'Gamma'], 'return msg'] : [['Delta', 'Echo'], 'return null']
  await check(
    'settings',
    () => c('GET', '/settings'),
    ({ s, b }) => s === 200 && b.version,
  )
  await check(
    'nodes',
    () => c('GET', '/nodes'),
    ({ s, b }) => s === 200 && b.some(({ types }) => types.includes('inject')),
  )
  await check(
    'flows',
    () => c('GET', '/flows'),
    ({ s, b }) => s === 200 && b.rev && Array.isArray(b.flows),
  )
  const ids = []
  for (const label of labels) {
    const node = { id: `n${label}`, type: 'function', name: label, func: code, x: 100, y: 80, wires: [] }
    const made = await check(
      'add flow',
      () => c('POST', '/flow', { label, nodes: [node] }),
      ({ s, b }) => s === 200 && b.id,
    )
    ids.push(made?.b.id)
  }
  for (const [at, label] of labels.entries())
    await check(
      'get flow',
      () => c('GET', `/flow/${ids[at]}`),
      ({ s, b }) => s === 200 && b.label === label && b.nodes[0].name === label,
    )
  await check(
    'put flow',
    () => c('PUT', `/flow/${ids[0]}`, { id: ids[0], label: 'Changed', nodes: [] }),
    ({ s, b }) => s === 200 && b.id === ids[0],
  )
  await check(
    'get changed',
    () => c('GET', `/flow/${ids[0]}`),
    ({ s, b }) => s === 200 && b.label === 'Changed',
  )
  await check(
    'delete flow',
    () => c('DELETE', `/flow/${ids[1]}`),
    ({ s }) => s === 204,
  )
  await check(
    'flow gone',
    () => c('GET', `/flow/${ids[1]}`),
    ({ s }) => s === 404,
  )
  await check(
    'missing',
    () => c('GET', `/flow/zzzz${which}`),
    ({ s }) => s === 404,
  )
  const now = await check(
    'flows now',
    () => c('GET', '/flows'),
    ({ s, b }) => {
      const found = b.flows.map(({ label }) => label)
      return s === 200 && found.includes('Changed') && !found.includes(labels[1])
    },
  )
  await check(
    'stale revision',
    () => c('POST', '/flows', { rev: 'deadbeef'.repeat(8), flows: [] }),
    ({ s }) => s === 409,
  )
  await check(
    'deploy',
    () => c('POST', '/flows', { rev: now?.b.rev, flows: [{ id: `t${which}`, type: 'tab', label: 'Whole' }] }),
    ({ s, b }) => s === 200 && b.rev,
  )
  await check(
    'flows deployed',
    () => c('GET', '/flows'),
    ({ s, b }) => s === 200 && b.flows.length === 1 && b.flows[0].label === 'Whole',
  )
}
