import type { Command } from '../command.ts'
import { auditRecordings } from './audit.ts'
import { diffRecording } from './diff.ts'
import { deleteExchanges, redactRecording, renameHost } from './change.ts'
import { exportRecording } from './export.ts'
import { importRecording } from './import.ts'
import { listRecordings } from './list.ts'
import { mergeRecordings, splitRecording } from './merge.ts'
import { pruneRecordings } from './prune.ts'
import { sendRecorded } from './send.ts'
import { showRecording } from './show.ts'

/** `sim recordings list|show|diff|audit|send|import|export|merge|split|delete|prune|redact|rename-host` */
export const recordings: Command = {
  command: 'recordings',
  describe: 'Look at recordings, compare, check, send and change them, take them in and out',
  commands: [
    listRecordings,
    showRecording,
    diffRecording,
    auditRecordings,
    sendRecorded,
    importRecording,
    exportRecording,
    mergeRecordings,
    splitRecording,
    deleteExchanges,
    pruneRecordings,
    redactRecording,
    renameHost,
  ],
  missing:
    'Name what to do: list, show, diff, audit, send, import, export, merge, split, delete, prune, redact or rename-host',
}
