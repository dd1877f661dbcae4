// Preloaded: on SIGUSR2 writes to BENCH_COVERAGE which functions of which files have run since the last time.
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'

const { BENCH_COVERAGE: file } = process.env
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

process.on('SIGUSR2', () => void write())

async function write() {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const calls = result.flatMap(({ url, functions }) =>
    functions.flatMap(({ functionName, ranges: [{ startOffset, count }] }) => {
      const isModule = functionName === '' && startOffset === 0
      return count === 0 || isModule ? [] : [{ url, name: functionName, at: startOffset, count }]
    }),
  )
  writeFileSync(`${file}.part`, JSON.stringify(calls))
  renameSync(`${file}.part`, file)
}
