// A process of npm run corpus: it checks the descriptions that it is sent, one at a time.
import { checkDescription, type Extent, type Report } from './check-description.ts'

/** What a process is to check. */
export interface Order {
  readonly file: string
  readonly extent: Extent
}

process.on('message', ({ file, extent }: Order) => {
  const failed = (error: Error): Report => ({
    ...{ file, refused: `the check failed: ${error.stack ?? error.message}` },
    ...{ loadMs: 0, operations: 0, unasked: {}, answers: 0, wrong: [] },
  })
  void checkDescription(file, extent)
    .catch(failed)
    .then((report) => process.send?.(report))
})
process.send?.('ready')
