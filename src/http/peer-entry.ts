import { createServer, type RequestListener, type Server } from 'node:http'
import cluster from 'node:cluster'
import { once, type EventEmitter } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { AddressInfo } from 'node:net'
import { lazy } from '../engine/lazy.ts'
import { isLoopback } from './ip-address.ts'
import { meetExpectations } from './expectations.ts'

/** Where other gateways of the same state reach this one. */
export interface PeerEntry {
  /** The base URL. */
  readonly url: () => Promise<string>
  close(): Promise<void>
}

/** What an entry is made of. */
export interface PeerEntryOptions {
  /** As the user gives it. */
  readonly given: string | undefined
  /** Where the server listens; empty while it does not. */
  readonly addresses: () => readonly (AddressInfo | string)[]
  readonly answer: RequestListener
  /** What takes the connections that go on in another protocol. */
  readonly upgrades: EventEmitter
}

/**
 * Where this gateway listens, as others have to write it. Where it does not listen, or shares its address with other
 * processes, it opens an entry of its own, which only this machine reaches.
 */
export function openPeerEntry({ given, addresses, answer, upgrades }: PeerEntryOptions): PeerEntry {
  let server: Server | undefined
  const open = lazy(async () => {
    server = createServer(answer)
    meetExpectations(server)
    server.on('upgrade', (...upgrade) => void upgrades.emit('upgrade', ...upgrade))
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true }).unref()
    await once(server, 'listening')
    return server.address() as AddressInfo
  })
  return {
    async url() {
      if (given !== undefined) return given
      const listening = addresses().filter((each): each is AddressInfo => typeof each !== 'string')
      const best = listening.find(({ address }) => !isLoopback(address)) ?? listening[0]
      return urlOf(best === undefined || cluster.isWorker ? await open() : best)
    },
    async close() {
      if (server?.listening !== true) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function urlOf({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? outerAddress() : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

// The first address that other machines may know.
function outerAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
}
