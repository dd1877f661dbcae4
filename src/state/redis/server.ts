/** Why a server cannot keep a state, by what it says of itself to INFO. */
export function problemsOf(info: string, where: string): string[] {
  const facts = new Map(
    info.split(/\r?\n/).map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1)] as const
    }),
  )
  const version = facts.get('redis_version') ?? ''
  const policy = facts.get('maxmemory_policy') ?? 'noeviction'
  const problems: string[] = []
  if (Number.parseInt(version, 10) < 7)
    problems.push(`${where} is Redis ${version}: shared state needs Redis 7.0 or newer, or Valkey`)
  if (policy !== 'noeviction')
    problems.push(
      `${where} has the maxmemory-policy ${policy}, which drops items: set it to noeviction for shared state`,
    )
  if (facts.get('role') === 'slave')
    problems.push(`${where} is a replica: give the address of its primary (${facts.get('master_host')})`)
  return problems
}
