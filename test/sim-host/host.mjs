// Runs `sim` commands in one process, one after the other, each as if the process were its own: `node host.mjs <checkout>`.
// Loading the command takes most of the time of a short one, and is done once here. The parent sends a command, or that
// what serves is to end, and is sent what it prints as it prints it, where it listens and how it ended.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const checkout = process.argv[2] ?? '.'
const { bin } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
const main = pathToFileURL(join(checkout, bin.sim)).href

// Where answers are compared, they are of the same moment.
const now = process.env.SIM_HOST_NOW
if (now !== undefined)
  globalThis.Date = class extends Date {
    constructor(...values) {
      super(...(values.length === 0 ? [Number(now)] : values))
    }
    static now() {
      return Number(now)
    }
  }

let serves = false
for (const name of ['stdout', 'stderr'])
  process[name].write = (text, ...rest) => {
    if (/^listening on /m.test(text)) serves = true
    process.send({ name, text: String(text) })
    rest.findLast((each) => typeof each === 'function')?.()
    return true
  }

let commands = 0
let ending = false
let running = Promise.resolve()

// What comes after an exit goes on here, and must be over before the next command begins, unless it never is.
const PATIENCE_MS = 100
async function end(code) {
  if (ending) return
  ending = true
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  await Promise.race([running, patience])
  await new Promise((resolve) => setImmediate(resolve))
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  process.stdout.removeAllListeners('error')
  process.exitCode = 0
  process.send({ code: code ?? 0 })
}

const exit = process.exit
process.exit = (code) => void end(code ?? process.exitCode)
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`)
  exit(1)
})
process.on('disconnect', () => exit(0))
process.setMaxListeners(0)

function start({ args, cwd, env }) {
  ending = false
  serves = false
  process.chdir(cwd)
  process.env = env
  process.argv = [process.argv[0], main, ...args]
  running = run(`${main}?command=${commands++}`)
}

async function run(url) {
  await import(url).catch((error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exitCode = 1
  })
  // A command that neither serves nor ends itself is over when nothing is left to do.
  if (!serves) void end(process.exitCode)
}

process.on('message', (message) => {
  if (message.args === undefined) process.emit('SIGTERM', 'SIGTERM')
  else start(message)
})
process.send({ ready: true })
