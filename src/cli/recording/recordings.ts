import type { CommandModule } from 'yargs'
import { diffRecording } from './diff.ts'
import { importRecording } from './import.ts'
import { listRecordings } from './list.ts'
import { pruneRecordings } from './prune.ts'
import { showRecording } from './show.ts'

/** `sim recordings list|show|diff|import|prune` */
export const recordings: CommandModule = {
  command: 'recordings',
  describe: 'Look at recordings, compare them, take in HAR files, take out what is old',
  builder: (yargs) =>
    yargs
      .command(listRecordings)
      .command(showRecording)
      .command(diffRecording)
      .command(importRecording)
      .command(pruneRecordings)
      .demandCommand(1, 'Name what to do: list, show, diff, import or prune'),
  handler() {},
}
