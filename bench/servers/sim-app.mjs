import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Query, User } from './model.mjs'

const { list, SimAPI } = await import(pathToFileURL(join(process.env.BENCH_BUILD, 'dist/src/index.js')).href)

export const api = new SimAPI({ seed: 42 })
api
  .get('/user', { input: Query, output: User })
  .get('/users', { input: Query, output: list(User), listCount: 10 })
