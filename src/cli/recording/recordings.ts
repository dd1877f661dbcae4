import type { Command } from '../command.ts'
import { diffRecording } from './diff.ts'
import { importRecording } from './import.ts'
import { listRecordings } from './list.ts'
import { pruneRecordings } from './prune.ts'
import { showRecording } from './show.ts'

/** `sim recordings list|show|diff|import|prune` */
export const recordings: Command = {
  command: 'recordings',
  describe: 'Look at recordings, compare them, take in HAR files, take out what is old',
  commands: [listRecordings, showRecording, diffRecording, importRecording, pruneRecordings],
  missing: 'Name what to do: list, show, diff, import or prune',
}
