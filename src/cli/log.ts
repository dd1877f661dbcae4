import type { Logger } from 'pino'
import { UsageInvalid } from '../errors.ts'
import { LOG_LEVELS, openLog, type LogOptions } from '../http/open-log.ts'

/** The log of a command that answers by itself: warnings and worse. */
export function createLog(): Logger {
  return openLog({ level: 'warn' })
}

/**
 * What flags and files say of the log, over what the environment says.
 * @param otherwise the level where nobody says one
 * @throws UsageInvalid for no level of a log
 */
export function logOptions(
  { level = levelFrom(process.env['SIM_LOG_LEVEL']), ...rest }: LogOptions = {},
  otherwise?: LogOptions['level'],
): LogOptions {
  return { ...rest, level: level ?? otherwise }
}

function levelFrom(text: string | undefined): LogOptions['level'] {
  const level = LOG_LEVELS.find((each) => each === text)
  if (level === undefined && text !== undefined && text !== '')
    throw new UsageInvalid(`SIM_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not '${text}'`)
  return level
}
