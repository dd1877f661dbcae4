import { StateUnavailable } from '../../errors.ts'
import { nodeText, type Node, type Sentinels, type StateAddress } from './address.ts'
import { openLink, reasonOf, type Link, type OpenLink } from './link.ts'

/** A sentinel that says nothing in this time is passed over. */
const QUIET_MS = 1000

/** Links to the primary, which the sentinels name anew for each. */
export function linksBySentinels(address: StateAddress, { nodes, primary }: Sentinels): OpenLink {
  // The one that led to the primary is the first the next time.
  let order = nodes
  return async (quietMs, onEnd) => {
    const failures: string[] = []
    const tried = new Set<string>()
    for (const sentinel of order) {
      try {
        const found = await primaryBy(address, sentinel, primary)
        const name = nodeText(found)
        // One may still name a server that is gone, of which another knows more.
        if (tried.has(name)) continue
        tried.add(name)
        const link = await openPrimary(address, found, quietMs, onEnd)
        order = [sentinel, ...order.filter((each) => each !== sentinel)]
        return link
      } catch (error) {
        if (!(error instanceof StateUnavailable)) throw error
        failures.push(reasonOf(error).replace(`${address.text} `, ''))
      }
    }
    throw new StateUnavailable(`${address.text}: ${failures.join('; ')}`)
  }
}

async function primaryBy(address: StateAddress, sentinel: Node, primary: string): Promise<Node> {
  const reply = await question(address, sentinel, primary, false).catch((error: unknown) => {
    if (/\bNOAUTH\b/.test(reasonOf(error))) return question(address, sentinel, primary, true)
    throw error
  })
  const [host, port] = (reply ?? []) as string[]
  if (host === undefined)
    throw new StateUnavailable(`${nodeText(sentinel)} knows no primary called ${primary}`)
  return { host, port: Number(port) }
}

// Most sentinels have no password, and refuse who gives one.
async function question(
  { isSecure, username, password }: StateAddress,
  sentinel: Node,
  primary: string,
  hasCredentials: boolean,
): Promise<unknown> {
  const own = {
    ...{ ...sentinel, text: nodeText(sentinel), isSecure, database: 0 },
    ...(hasCredentials && username !== undefined && { username }),
    ...(hasCredentials && password !== undefined && { password }),
  }
  const link = await openLink(own, QUIET_MS, () => undefined)
  try {
    return await link.send(['SENTINEL', 'get-master-addr-by-name', primary], true)
  } finally {
    link.drop('it is no longer needed')
  }
}

async function openPrimary(
  address: StateAddress,
  node: Node,
  ...[quietMs, onEnd]: Parameters<OpenLink>
): Promise<Link> {
  const text = `${address.text} (primary ${nodeText(node)})`
  const link = await openLink({ ...address, ...node, text }, quietMs, onEnd)
  try {
    const [role] = (await link.send(['ROLE'], true)) as string[]
    if (role === 'master') return link
  } catch (error) {
    link.drop(reasonOf(error))
    throw error
  }
  const reason = `${nodeText(node)} is not a primary yet, or no longer`
  link.drop(reason)
  throw new StateUnavailable(reason)
}
