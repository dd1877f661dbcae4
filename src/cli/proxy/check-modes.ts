import type { GatewayOptions } from '../../gateway.ts'
import { UsageInvalid } from '../../errors.ts'

/** Whether the modes have what they need. @throws UsageInvalid naming the option that is missing */
export function checkModes({ modes = {}, record, recording }: Partial<GatewayOptions>): void {
  const { mode, rules = [] } = modes
  for (const name of [mode, ...rules.map((rule) => rule.mode)]) {
    if (name === 'record' && record === undefined)
      throw new UsageInvalid('--mode record needs a directory to record to: --record <dir>')
    if (recording === undefined && (name === 'replay' || name === 'spy' || name === 'new-episodes'))
      throw new UsageInvalid(`--mode ${name} needs a recording to read: --recording <dir>`)
  }
}
