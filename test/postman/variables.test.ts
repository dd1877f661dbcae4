import { expect, it } from 'vitest'
import { resolved } from '../../src/postman/variables.ts'

// Ten times ten times ten values are more than a text can hold.
it('puts values of values in place only so often', () => {
  const tenTimes = Array.from({ length: 10 }, (_, at): [string, string] => [
    `v${at}`,
    `{{v${at + 1}}}`.repeat(10),
  ])
  const variables = new Map([...tenTimes, ['v10', 'x']] as const)
  expect(resolved('{{v0}}', variables).length).toBeLessThan(2 ** 25)
  expect(resolved('{{v6}}{{none}}', variables)).toBe(`${'x'.repeat(10_000)}{{none}}`)
})
