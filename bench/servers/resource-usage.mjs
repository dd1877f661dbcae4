import { writeSync } from 'node:fs'

// Says at the end of a process, on the last line of its errors, what it took.
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const seconds = (userCPUTime + systemCPUTime) / 1e6
  const used = { wallSeconds: performance.now() / 1000, seconds, mebibytes: maxRSS / 1024 }
  writeSync(2, `\n${JSON.stringify(used)}`)
})
