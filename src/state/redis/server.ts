/** What a server says of itself to INFO, by name. */
export function factsOf(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1)] as const
    }),
  )
}

/** What a server is, such as `Redis 7.0.15`. */
export function engineOf(facts: ReadonlyMap<string, string>): string {
  const valkey = facts.get('valkey_version')
  return valkey === undefined ? `Redis ${facts.get('redis_version') ?? ''}`.trimEnd() : `Valkey ${valkey}`
}

/** Whether scripts that write can be tried on a server: replicas and old ones refuse them to everybody. */
export function runsScripts(facts: ReadonlyMap<string, string>): boolean {
  return facts.get('role') !== 'slave' && Number.parseInt(facts.get('redis_version') ?? '', 10) >= 7
}

/** Why a server cannot keep a state, by what it says of itself to INFO. */
export function problemsOf(info: string, where: string): string[] {
  const facts = factsOf(info)
  const version = facts.get('redis_version') ?? ''
  const problems: string[] = []
  if (Number.parseInt(version, 10) < 7)
    problems.push(`${where} is Redis ${version}: shared state needs Redis 7.0 or newer, or Valkey`)
  problems.push(...problemsOfPolicy(facts, where))
  if (facts.get('role') === 'slave')
    problems.push(`${where} is a replica: give the address of its primary (${facts.get('master_host')})`)
  return problems
}

/** Why a server would throw away what it holds. */
export function problemsOfPolicy(facts: ReadonlyMap<string, string>, where: string): string[] {
  const policy = facts.get('maxmemory_policy') ?? 'noeviction'
  if (policy === 'noeviction') return []
  return [
    `${where} has the maxmemory-policy ${policy}, which drops items: set it to noeviction for shared state`,
  ]
}
