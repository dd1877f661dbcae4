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

for (const name of ['stdout', 'stderr'])
  process[name].write = (text, ...rest) => {
    process.send({ name, text: String(text) })
    rest.findLast((each) => typeof each === 'function')?.()
    return true
  }

let commands = 0
let ending = false

function end(code) {
  if (ending) return
  ending = true
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  process.exitCode = 0
  process.send({ code: code ?? 0 })
}

const exit = process.exit
process.exit = (code) => end(code ?? process.exitCode)
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack}\n`)
  exit(1)
})
process.on('disconnect', () => exit(0))
process.setMaxListeners(0)

async function start({ args, cwd, env }) {
  ending = false
  process.chdir(cwd)
  process.env = env
  process.argv = [process.argv[0], main, ...args]
  await import(`${main}?command=${commands++}`)
}

process.on('message', (message) => {
  if (message.args === undefined) process.emit('SIGTERM', 'SIGTERM')
  else void start(message)
})
process.send({ ready: true })
