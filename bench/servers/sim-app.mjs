import { list, SimAPI } from '../../dist/src/index.js'
import { Query, User } from './model.mjs'

export const api = new SimAPI({ seed: 42 })
api
  .get('/user', { input: Query, output: User })
  .get('/users', { input: Query, output: list(User), listCount: 10 })
