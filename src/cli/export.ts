import type { CommandModule } from 'yargs'
import { exportFixturesCommand } from './export-fixtures.ts'
import { exportOpenapi } from './export-openapi.ts'

/** `sim export openapi|fixtures <target>` */
export const exportCommand: CommandModule = {
  command: 'export',
  describe: 'Write the OpenAPI document, or fixtures for a frontend',
  builder: (yargs) =>
    yargs
      .command(exportOpenapi)
      .command(exportFixturesCommand)
      .demandCommand(1, 'Name what to export: openapi or fixtures'),
  handler() {},
}
