/**
 * Runs a command line as the process that it is.
 * @param run resolves with the exit code, or with nothing when it has begun to serve
 */
export async function runProcess(
  run: (args: readonly string[]) => Promise<number | undefined>,
): Promise<void> {
  // A reader that has seen enough, such as `head`, ends the command without a word.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  // What was loaded may have opened what would keep the process alive; a command that is done ends nevertheless.
  const code = await run(process.argv.slice(2))
  if (code !== undefined) process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
