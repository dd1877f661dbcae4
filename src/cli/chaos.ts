import { report } from './chaos-report.ts'
import { schedule } from './chaos-schedule.ts'
import type { Command } from './command.ts'

/** `sim chaos` */
export const chaos: Command = {
  command: 'chaos',
  describe: 'Look at what chaos would do, and at what it did',
  commands: [schedule, report],
  missing: 'Name what to look at: schedule or report',
}
