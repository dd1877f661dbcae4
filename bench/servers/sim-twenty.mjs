import { SimAPI } from '../../dist/src/index.js'
import { Query, User } from './model.mjs'

export const api = new SimAPI({ seed: 42 })
for (let route = 0; route < 20; route++) api.get(`/users${route}`, { input: Query, output: User })
