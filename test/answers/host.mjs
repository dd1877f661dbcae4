// Runs `sim` commands of one build in one process, each as if it were a process of its own: `node host.mjs <build>`.
// The parent sends what to start, and is sent where it listens, or how it ended instead.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const build = process.argv[2] ?? '.'
const { bin } = JSON.parse(readFileSync(join(build, 'package.json'), 'utf8'))
const main = pathToFileURL(join(build, bin.sim)).href

// The same moment for every build: what an answer says of the time is compared as well.
const NOW = Date.UTC(2026, 0, 1, 12)
globalThis.Date = class extends Date {
  constructor(...values) {
    super(...(values.length === 0 ? [NOW] : values))
  }
  static now() {
    return NOW
  }
}

let shown = ''
let ended
for (const stream of [process.stdout, process.stderr])
  stream.write = (text, ...rest) => {
    shown += text
    rest.findLast((each) => typeof each === 'function')?.()
    return true
  }
process.exit = (code) => {
  ended?.(code)
}
process.setMaxListeners(0)
// Broken connections of one app are none of the next one's business, but they must be seen.
process.on('uncaughtException', (error) => process.send({ crashed: String(error.stack) }))

const served = []
process.on('message', (command) => void start(command))

async function start({ folder, args, env }) {
  shown = ''
  process.chdir(folder)
  Object.assign(process.env, env)
  process.argv = [process.argv[0], main, ...args]
  const serve = async () => {
    const exit = new Promise((resolve) => (ended = resolve))
    await import(`${main}?start=${served.push(folder)}`)
    if (!/^listening on /m.test(shown)) await exit
  }
  await serve().catch((error) => (shown += error))
  for (const name of Object.keys(env)) delete process.env[name]
  process.send({ url: /^listening on (http:\S+)/m.exec(shown)?.[1], shown })
}

const { createExampleUpstream } = await import(pathToFileURL(join(build, 'dist/examples/upstream.js')).href)
const upstream = createExampleUpstream().listen(0, '127.0.0.1', () =>
  process.send({ upstream: `127.0.0.1:${upstream.address().port}` }),
)
