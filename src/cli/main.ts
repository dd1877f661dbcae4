#!/usr/bin/env node
import { hideBin } from 'yargs/helpers'
import { sim } from './cli.ts'

// A reader that has seen enough, such as `head`, ends the command without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

// A target may have opened what would keep the process alive; a command that is done ends nevertheless.
const code = await sim(hideBin(process.argv))
if (code !== undefined) process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
