/**
 * npm run repro-proof [-- SEED [COUNT [CASE]]]: walks over examples and a stateful description, has random requests made into
 * folders, and runs each folder elsewhere, in a process of its own.
 */
import { join, resolve } from 'node:path'
import { startSim } from '../flow/sim-process.ts'
import { elsewhere, makeFolder, runScript } from './folders.ts'
import { BAKERY, SHOP, some, walk } from './walk.ts'

const [seed = 1, count = 100] = process.argv.slice(2, 4).map(Number)
const [only = ''] = process.argv.slice(4)
const STEPS = 400
const here = (path: string): string => resolve(import.meta.dirname, path)
const bakery = here('bakery.yaml')
const shop = here('../../examples/shop.ts')
const CASES = [
  { name: 'examples/shop.ts', args: ['run', shop], draws: SHOP },
  { name: 'bakery.yaml, stateful', args: ['run', bakery, '--stateful', '--seed', '7'], draws: BAKERY },
  {
    name: 'both behind one gateway that fails and limits',
    args: [
      'proxy',
      '--routes',
      shop,
      '--routes',
      bakery,
      '--stateful',
      '--error-rate',
      '0.2',
      '--rate-limit',
      '40',
    ],
    draws: [...SHOP, ...BAKERY],
  },
]

let failed = 0
for (const { name, args, draws } of CASES.filter((each) => each.name.includes(only))) {
  const server = await startSim(args)
  const walked = await walk(server.url, draws, seed, STEPS)
  const directory = elsewhere()
  const chosen = some(walked, seed, count)
  const folders = await Promise.all(
    chosen.map(async (each) => {
      const folder = join(directory, `repro-${each.id}`)
      return { each, folder, refused: await makeFolder(server.url, each, folder) }
    }),
  )
  // What answers then is apart from the gateway that made them.
  await server.stop()
  let same = 0
  for (const { each, folder, refused } of folders) {
    const result = refused === undefined ? await runScript(folder) : undefined
    if (result?.code === 0 && result.stdout.equals(each.body)) same++
    else
      process.stdout.write(
        `${each.id} ${each.request}: ${refused ?? result?.stderr.trim().split('\n', 8).join(' ') ?? ''}, in ${folder}\n`,
      )
  }
  failed += chosen.length - same
  process.stdout.write(`${name}: ${same} of ${chosen.length} give the same bytes\n`)
}
process.exitCode = failed === 0 ? 0 : 1
