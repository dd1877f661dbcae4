import { existsSync, readdirSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSim } from '../flow/sim-process.ts'
import { readBlocks, type Block } from './markdown.ts'
import { createPageApps, targetsIn } from './page-apps.ts'
import { findTypeErrors, runBlock, type Done, type Page } from './run-block.ts'
import { GUIDES, read, ROOT } from './tables.ts'
import { createWorkspace } from './workspace.ts'

const PAGES = ['README.md', ...GUIDES].toSorted()

/** A page that names this port takes a server of the reader's for granted. */
const READERS_PORT = 3000
/** Nothing ever listens here: pages use it for a server that is down. */
const DEAD_PORT = 1
const READERS_SERVER = `exec node --input-type=module -e "
  import { createExampleUpstream } from '${join(ROOT, 'dist/examples/upstream.js')}'
  const server = createExampleUpstream().listen(0, '127.0.0.1', () =>
    console.log('listening on http://127.0.0.1:' + server.address().port))"`

/** What a reader may have or not. */
const OPTIONAL_TOOLS = ['chromium', 'haproxy', 'openssl', 'python3']

function missingTool({ language, text }: Block): string | undefined {
  const needed =
    language === 'sh' ? OPTIONAL_TOOLS.filter((tool) => new RegExp(`\\b${tool} `).test(text)) : []
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return needed.find((tool) => !folders.some((folder) => existsSync(join(folder, tool))))
}

const done: Done[] = []
let accepted = 0

// Most of the time goes by while commands start, so the pages run side by side, each in its own order.
describe.concurrent.for(PAGES)('%s', (name) => {
  const blocks = readBlocks(name, read(name))
  let page: Page
  let count = 0
  let missing: string | undefined

  beforeAll(async () => {
    const workspace = await createWorkspace()
    // Readers of the README are in a clone; those of the guides have installed the package.
    if (name === 'README.md')
      await cp(join(ROOT, 'recordings/sample'), join(workspace.folder, 'recordings/sample'), {
        recursive: true,
      })
    const assumed = async (port: number): Promise<void> => {
      if (port === READERS_PORT) await workspace.serve(READERS_SERVER, port)
      else if (port !== DEAD_PORT) throw new Error(`Nothing on the page listens on port ${port}`)
    }
    const apps = createPageApps(blocks, workspace)
    page = { file: join(ROOT, name), workspace, apps, assumed, printed: async () => '' }
  })
  afterAll(() => page.workspace.close())

  it.sequential.for(blocks.map((block) => [block.line, block.language, block] as const))(
    'line %i: %s',
    async ([, , block], { skip }) => {
      // What a command was to print goes with it.
      missing = block.notes.has('output') ? missing : missingTool(block)
      if (missing !== undefined) {
        count++
        skip(`needs ${missing}, which is not installed`)
      }
      const how = await runBlock(block, page)
      expect(how).not.toBe('')
      done.push(how)
      count++
    },
  )

  it.sequential('has scripts that fit their types', async () => {
    expect(await findTypeErrors(page)).toBe('')
  })

  it.sequential('has apps that sim validate accepts', async () => {
    expect(await page.apps.findInvalid()).toBe('')
    accepted += page.apps.accepted
  })

  it.sequential('was run, every block of it', () => {
    expect(blocks.length).toBeGreaterThan(0)
    expect(count).toBe(blocks.length)
  })
})

it('has examples that sim validate accepts', async () => {
  const files = readdirSync(join(ROOT, 'examples')).map((name) => `examples/${name}`)
  const targets = files.flatMap((file) => targetsIn(file, read(file)))
  expect(targets).toContain('examples/shop.ts')
  for (const target of targets) {
    const { code, stderr } = await runSim(['validate', target])
    expect([code, stderr]).toEqual([0, ''])
  }
})

afterAll(() => {
  const kinds = [...new Set(done)].map((kind) => `${done.filter((each) => each === kind).length} ${kind}`)
  process.stdout.write(
    `docs: ${done.length} blocks on ${PAGES.length} pages (${kinds.join(', ')}); ${accepted} apps are valid\n`,
  )
})
