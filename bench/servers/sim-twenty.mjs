import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Query, User } from './model.mjs'

const { SimAPI } = await import(pathToFileURL(join(process.env.BENCH_BUILD, 'dist/src/index.js')).href)

export const api = new SimAPI({ seed: 42 })
for (let route = 0; route < 20; route++) api.get(`/users${route}`, { input: Query, output: User })
