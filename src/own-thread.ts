import { Worker } from 'node:worker_threads'

// As source the file is in another language, which has to be taken off when it is loaded.
const START = `
const { workerData } = require('node:worker_threads')
const { file, from } = workerData
if (file.endsWith('.js')) import(file)
else require('node:module').createRequire(from)('jiti').createJiti(from).import(file)
`

/**
 * Starts a thread that runs a file of this package.
 * @param file without its extension
 * @param data what it is started with
 */
export function startThread(file: URL, data: object = {}): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const workerData = { ...data, file: `${file.href}.${extension}`, from: import.meta.url }
  return new Worker(START, { eval: true, workerData, execArgv: [] })
}
