import { FLAG, type Option } from '../../pipeline/option.ts'
import { JSON_FLAG } from '../command.ts'

/** What is printed besides the result, and in which form the result is. */
export interface OutputFlags {
  readonly json: boolean | undefined
  readonly quiet: boolean | undefined
}

/** `--json` and `--quiet` */
export const OUTPUT_FLAGS: Readonly<Record<keyof OutputFlags, Option>> = {
  json: JSON_FLAG,
  quiet: {
    ...FLAG,
    flag: { name: 'quiet', alias: 'q', describe: 'Say nothing of progress', otherwise: 'false' },
  },
}
