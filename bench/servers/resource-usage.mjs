import { writeSync } from 'node:fs'

// Says at the end of a process, on the last line of its errors, what it took.
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  writeSync(
    2,
    `\n${JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, mebibytes: maxRSS / 1024 })}`,
  )
})
