import dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { readHostPattern, type NamedHost } from '../../routing/host.ts'
import { OptionInvalid, TargetRefused } from '../../errors.ts'
import { isLoopback, plainAddress, refuseAddress } from '../../http/ip-address.ts'

/** Resolves names, as `dns.lookup` does with `all: true`. */
export type Resolve = (
  name: string,
  options: dns.LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void

/** What a guard goes by. */
export interface GuardOptions {
  /** The only hosts that may be reached, such as `api.example.com` or `*.example.com`; all but a few without it. */
  readonly allow?: readonly string[] | undefined
  /** Where the gateway listens; nowhere before it does. */
  readonly listening: () => readonly Listening[]
  readonly resolve?: Resolve | undefined
}

/** An address that the gateway listens on. */
export interface Listening {
  readonly address: string
  readonly port: number
}

/** Says which hosts a client may have requests forwarded to. */
export interface Guard {
  /** @throws TargetRefused when the host may not be reached, as far as is known before its name is resolved */
  check(host: NamedHost): void
  /**
   * For a host with a port that the gateway listens on, whoever chose it.
   * @throws TargetRefused when it is plainly the gateway itself, and so leads nowhere
   */
  checkLoop(host: NamedHost): void
  /** Resolves a name and refuses what it may not lead to, on the way to a connection to this port. */
  lookup(port: number): LookupFunction
}

const METADATA_NAMES = new Set([
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.azure.internal'],
  ...['instance-data', 'instance-data.ec2.internal', 'metadata.tencentyun.com'],
])

/** @throws OptionInvalid when a host of the allow-list is none */
export function createGuard({ allow, listening, resolve = dns.lookup }: GuardOptions): Guard {
  const allowed = allow?.map((text) => readHostPattern(text) ?? refuseEntry(text))
  const isOpen = (): boolean => listening().every(({ address }) => isLoopback(address))

  const reasonAgainst = (address: string, port: number): string | undefined => {
    const isOwn = listening().some((own) => own.port === port) && isThisMachine(address)
    return refuseAddress(address) ?? (isOwn ? 'the gateway itself' : undefined)
  }
  return {
    check({ name, port }) {
      if (METADATA_NAMES.has(name)) throw new TargetRefused(name, 'it is a metadata service')
      const reason = isIP(name) === 0 ? undefined : reasonAgainst(name, port)
      if (reason !== undefined) throw new TargetRefused(name, `it is ${reason}`)
      if (allowed === undefined && isOpen()) return
      if (allowed?.some((pattern) => pattern.matches({ name, port })) === true) return
      throw new TargetRefused(
        name,
        allowed === undefined
          ? 'it listens beyond loopback, and no hosts are allowed: give --allow-host'
          : 'it is not allowed',
      )
    },
    checkLoop({ name, port }) {
      if (name === 'localhost' || (isIP(name) !== 0 && isThisMachine(name)))
        throw new TargetRefused(`${name}:${port}`, 'it is the gateway itself')
    },
    lookup: (port) => (name, options, done) => {
      resolve(name, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return done(error, '', 0)
        const reasons = addresses.map(
          ({ address }) => reasonAgainst(address, port) ?? hidesLoopback(name, address),
        )
        const reason = reasons.find((each) => each !== undefined)
        const [first] = addresses
        if (reason !== undefined) return done(new TargetRefused(name, `it leads to ${reason}`), '', 0)
        if (options.all === true || first === undefined) return done(null, addresses)
        done(null, first.address, first.family)
      })
    },
  }

  // Where others reach the gateway, whoever owns an allowed name must not point it at what only this machine sees.
  function hidesLoopback(name: string, address: string): string | undefined {
    const isHidden = !isOpen() && isLoopback(address) && !/^(.*\.)?localhost$/.test(name)
    return isHidden ? 'a loopback address' : undefined
  }
}

function isThisMachine(address: string): boolean {
  if (isLoopback(address)) return true
  const own = Object.values(networkInterfaces()).flatMap((each = []) => each.map((one) => one.address))
  return own.map(plainAddress).includes(plainAddress(address))
}

function refuseEntry(text: string): never {
  throw new OptionInvalid(
    `An allowed host must be like api.example.com, *.example.com or 10.0.0.7:8080, not '${text}'`,
  )
}
