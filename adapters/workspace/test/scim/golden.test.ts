import { describe, it } from 'vitest'
import { expectGolden } from '../golden.ts'

describe('the current user', () => {
  it('answers its contract', async () => {
    await expectGolden('current-user', ['Current user'], [{ operation: 'currentUser.me' }])
  })
})
