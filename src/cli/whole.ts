import { UsageInvalid } from '../errors.ts'

/** A whole number of an option. @throws UsageInvalid for anything else */
export function whole(name: string, value: number, most: number = Number.MAX_SAFE_INTEGER): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new UsageInvalid(`--${name} must be a whole number from 0 to ${most}`)
}
