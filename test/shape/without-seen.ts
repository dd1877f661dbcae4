/** A schema without notes of how seldom its places were seen. */
export function withoutSeen(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (value !== null && typeof value === 'object') delete (value as Record<string, unknown>)['x-sim-seen']
    return value
  })
}
