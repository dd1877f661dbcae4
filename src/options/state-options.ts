import { oneOf, textThat, whole, type Option } from '../pipeline/option.ts'
import type { StateOptions } from '../state/state-options.ts'

const GROUP = 'Several gateways'
const NAME = /^[\w.:@-]{1,64}$/

/** The table `gateway.state`. */
export const STATE_OPTIONS: Readonly<Record<keyof StateOptions, Option>> = {
  url: {
    // A URL that is wrong is not repeated, since it may hold a password.
    judge: (value) =>
      typeof value === 'string' && /^(rediss?(\+(sentinel|cluster))?:\/\/|unix:\/)./.test(value)
        ? []
        : [
            {
              path: [],
              message:
                'must be the URL of a server, such as redis://127.0.0.1:6379, rediss://…, unix:/path, redis+sentinel://… or redis+cluster://…',
            },
          ],
    schema: { type: 'string', minLength: 1 },
    secret: true,
    see: 'scale-out.md',
    describe: 'URL of the Redis or Valkey server that keeps the state of several gateways.',
    group: GROUP,
    flag: {
      name: 'state',
      isCommon: true,
      describe: 'Share state with other gateways on this Redis or Valkey: redis://host:6379 (or SIM_STATE)',
    },
  },
  name: {
    ...textThat((text) => NAME.test(text), 'up to 64 letters, digits and _.:@-', { pattern: NAME.source }),
    see: 'scale-out.md',
    describe: 'What gateways have in common that share state. Default: sim.',
    group: GROUP,
    flag: { name: 'state-name', describe: 'Name of what gateways share', otherwise: 'sim' },
  },
  gateway: {
    ...textThat((text) => NAME.test(text), 'up to 64 letters, digits and _.:@-', { pattern: NAME.source }),
    see: 'scale-out.md',
    describe: "This gateway's name. Default: host, process and four letters.",
    group: GROUP,
    flag: {
      name: 'state-gateway',
      describe: 'Name of this gateway; its host, process and four letters if not given',
    },
  },
  replicas: {
    ...whole(0, 16),
    see: 'scale-out.md',
    describe: 'How many replicas of the server have each write before it is answered. Default: 0.',
    group: GROUP,
    flag: { name: 'state-replicas', describe: 'Wait for so many replicas at each write', otherwise: '0' },
  },
  journal: {
    ...oneOf(['shared', 'off']),
    see: 'scale-out.md',
    describe: 'Whether all gateways know the requests of each. Default: shared.',
    group: GROUP,
    flag: {
      name: 'state-journal',
      describe: 'Whether all gateways know the requests of each',
      otherwise: 'shared',
    },
  },
  peer: {
    ...textThat((text) => /^https?:\/\/[^/\s]+\/?$/.test(text), 'a base URL such as http://10.0.0.5:8080', {
      pattern: '^https?://[^/\\s]+/?$',
    }),
    see: 'scale-out.md',
    describe:
      'Where other gateways reach this one, for adapters and mode new-episodes. Default: where it listens.',
    group: GROUP,
    flag: { name: 'state-peer', describe: 'Base URL at which other gateways reach this one' },
  },
  lost: {
    ...oneOf(['begin']),
    see: 'scale-out.md',
    describe: 'What to do when the server has lost what it held: begin again. Default: answer 503.',
    group: GROUP,
    flag: { name: 'state-lost', describe: 'Begin again when the server has lost its state' },
  },
  app: {
    ...oneOf(['adopt']),
    see: 'scale-out.md',
    describe: 'Whether to go on with the state of another version of the app. Default: it is refused.',
    group: GROUP,
    flag: { name: 'state-app', describe: 'Go on with the state of another version of the app' },
  },
}
