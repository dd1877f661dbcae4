import type { Argv, CommandModule } from 'yargs'
import { chaosSchedule } from './chaos-schedule.ts'

/** `sim chaos` */
export const chaos: CommandModule = {
  command: 'chaos',
  describe: 'Look at what chaos would do',
  builder: (yargs): Argv => yargs.command(chaosSchedule).demandCommand(1, 'Name what to look at: schedule'),
  handler() {},
}
