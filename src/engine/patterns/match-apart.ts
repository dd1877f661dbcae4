import { Worker } from 'node:worker_threads'

/** The longest that a search apart may take. */
export const LIMIT_MS = 50
const START_MS = 5000

// What the number shared with the worker says.
const [BUSY, READY, NO, YES, BEGUN] = [0, 1, 2, 3, 4]

const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const say = (word) => { Atomics.store(workerData, 0, word); Atomics.notify(workerData, 0) }
parentPort.on('message', ({ source, flags, text }) => {
  say(${BEGUN})
  let word = ${READY}
  try { word = new RegExp(source, flags).test(text) ? ${YES} : ${NO} } catch {}
  say(word)
})
say(${READY})
`

interface Searcher {
  readonly worker: Worker
  readonly word: Int32Array<SharedArrayBuffer>
}

// One for all: it knows nothing from one search to the next.
let searcher: Searcher | undefined

/** Whether a text matches, searched in a thread that can be stopped; `undefined` where that takes too long. */
export function matchApart({ source, flags }: RegExp, text: string): boolean | undefined {
  searcher ??= start()
  if (searcher === undefined) return undefined
  const { worker, word } = searcher
  Atomics.store(word, 0, BUSY)
  // A thread has no origin, which a window would want named.
  worker.postMessage({ source, flags, text }, [])
  // A busy machine may let the thread wait, which does not count.
  Atomics.wait(word, 0, BUSY, START_MS)
  Atomics.wait(word, 0, BEGUN, LIMIT_MS)
  const said = Atomics.load(word, 0)
  if (said === BUSY || said === BEGUN) {
    searcher = undefined
    void worker.terminate()
  }
  return said === YES || said === NO ? said === YES : undefined
}

function start(): Searcher | undefined {
  const word = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(WORKER, { eval: true, workerData: word, execArgv: [], env: {} })
  // It is not to keep the process alive, nor to end it.
  worker.unref()
  worker.on('error', () => undefined)
  Atomics.wait(word, 0, BUSY, START_MS)
  if (Atomics.load(word, 0) === READY) return { worker, word }
  void worker.terminate()
  return undefined
}
