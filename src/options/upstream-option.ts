import { FLAG, TEXT, TEXTS, url, type Option } from '../pipeline/option.ts'
import type { UpstreamRule } from '../upstream/targets/targets.ts'
import { PATH } from './adapter-options.ts'
import { HOST } from './app-options.ts'

/** The base URL of a server. */
export const SERVER = url('http://127.0.0.1:3000')
const VALUES = { values: TEXT }
const HEADER_CHANGES = {
  remove: { ...TEXTS, describe: 'Names of headers to take out.' },
  set: { ...VALUES, describe: 'Values that replace those of the same name.' },
  add: { ...VALUES, describe: 'Values beside those of the same name.' },
}

/** An entry of `gateway.upstreams`. */
export const UPSTREAM: Readonly<Record<keyof UpstreamRule, Option>> = {
  url: { ...SERVER, describe: 'Base URL.' },
  host: { ...HOST, describe: 'Only requests for this host, or for all below a name: *.example.com.' },
  path: { ...PATH, describe: 'Only requests whose path begins so.' },
  stripPath: { ...FLAG, describe: 'Take that beginning off the path.' },
  rewrite: {
    each: {
      from: { ...PATH, describe: 'A template such as /old/{rest}.' },
      to: { ...PATH, describe: 'What it becomes, such as /new/{rest}.' },
    },
    needs: ['from', 'to'],
    describe: 'Other paths in place of those that fit a template.',
  },
  requestHeaders: { table: HEADER_CHANGES, describe: 'Changes to the headers of requests.' },
  responseHeaders: { table: HEADER_CHANGES, describe: 'Changes to the headers of answers.' },
}
