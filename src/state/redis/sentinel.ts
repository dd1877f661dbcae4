import { StateUnavailable } from '../../errors.ts'
import { nodeText, type Node, type Sentinels, type StateAddress } from './address.ts'
import { openLink, type Link, type Links, type OpenLink } from './link.ts'
import { reasonOf } from './reasons.ts'
import { onSentinel, SentinelWatch } from './sentinel-watch.ts'

/** In these states of a failover the primary of before is still named, and is soon to be one no longer. */
const BEGUN = /^(select_slave|send_slaveof_noone|wait_promotion)$/

/** Links to the primary, which the sentinels name anew for each, and which end when another is to take its place. */
export function linksBySentinels(address: StateAddress, { nodes, primary }: Sentinels): Links {
  const links = new Map<Link, Node>()
  const watch = new SentinelWatch(address, { nodes, primary }, (next) => {
    for (const [link, node] of links)
      if (next === undefined || nodeText(next) !== nodeText(node))
        link.drop(`its sentinels ${next === undefined ? 'look for' : 'made'} another primary`)
  })
  const open: OpenLink = async (quietMs, onEnd) => {
    // What the sentinels say is heard before anything is requested of them, so that nothing comes in between.
    await watch.open()
    const failures: string[] = []
    for (const named of await primaries(address, { nodes, primary }, failures)) {
      try {
        const [link, node] = await openPrimary(address, named, quietMs, (ended, reason) => {
          links.delete(ended)
          onEnd(ended, reason)
        })
        links.set(link, node)
        return link
      } catch (error) {
        if (!(error instanceof StateUnavailable)) throw error
        failures.push(reasonOf(error).replace(`${address.text} `, ''))
      }
    }
    throw new StateUnavailable(`${address.text}: ${failures.join('; ')}`)
  }
  return { open, close: () => watch.close() }
}

interface Named {
  readonly node: Node
  /** Grows with each failover. */
  readonly epoch: number
  readonly isEnding: boolean
}

/** What those sentinels name that know most: one may still name a server that is gone, or was one before. */
async function primaries(
  address: StateAddress,
  { nodes, primary }: Sentinels,
  failures: string[],
): Promise<Node[]> {
  const answers = await Promise.all(
    nodes.map((sentinel) =>
      primaryBy(address, sentinel, primary).catch((error: unknown) => {
        if (!(error instanceof StateUnavailable)) throw error
        failures.push(reasonOf(error))
        return undefined
      }),
    ),
  )
  const named = answers.filter((answer) => answer !== undefined)
  const newest = Math.max(...named.map(({ epoch }) => epoch))
  const latest = named.filter(({ epoch }) => epoch === newest)
  if (latest.some(({ isEnding }) => isEnding))
    throw new StateUnavailable(`${address.text}: its sentinels look for another primary`)
  return [...new Map(latest.map(({ node }) => [nodeText(node), node])).values()]
}

async function primaryBy(address: StateAddress, sentinel: Node, primary: string): Promise<Named> {
  const [named, facts] = await onSentinel(address, sentinel, async (link) => {
    const answers = await Promise.all([
      link.send(['SENTINEL', 'get-master-addr-by-name', primary], true),
      // It may be forbidden, and then all count alike.
      link.send(['SENTINEL', 'MASTER', primary], true).catch(() => []),
    ])
    link.drop('it is no longer needed')
    return answers as [string[] | null, string[]]
  })
  const [host, port] = named ?? []
  if (host === undefined)
    throw new StateUnavailable(`${nodeText(sentinel)} knows no primary called ${primary}`)
  const fact = (name: string): string => facts[facts.indexOf(name) + 1] ?? ''
  return {
    node: { host, port: Number(port) },
    epoch: facts.includes('config-epoch') ? Number(fact('config-epoch')) : 0,
    isEnding: facts.includes('failover-state') && BEGUN.test(fact('failover-state')),
  }
}

type Opening = Parameters<OpenLink>

// Redis' own FAILOVER has a replica take over long before sentinels know: the primary of before then names it.
async function openPrimary(address: StateAddress, node: Node, ...opening: Opening): Promise<[Link, Node]> {
  const next = await openServer(address, node, opening)
  if ('send' in next) return [next, node]
  const link = await openServer(address, next, opening)
  if ('send' in link) return [link, next]
  throw new StateUnavailable(`${nodeText(node)} is not a primary yet, or no longer`)
}

/** A link to a primary, or the server that a replica has for its primary. */
async function openServer(
  address: StateAddress,
  node: Node,
  [quietMs, onEnd]: Opening,
): Promise<Link | Node> {
  const text = `${address.text} (primary ${nodeText(node)})`
  const link = await openLink({ ...address, ...node, text }, quietMs, onEnd)
  try {
    const [role, host = '', port] = (await link.send(['ROLE'], true)) as string[]
    if (role === 'master') return link
    link.drop('it is a replica')
    return { host, port: Number(port) }
  } catch (error) {
    link.drop(reasonOf(error))
    throw error
  }
}
