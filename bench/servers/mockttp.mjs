import { faker } from '@faker-js/faker'
import { getLocal } from 'mockttp'

const user = () => ({
  id: faker.string.uuid(),
  name: faker.person.fullName(),
  email: faker.internet.email(),
  age: faker.number.int({ min: 18, max: 90 }),
  created_at: faker.date.past().toISOString(),
})
const server = getLocal({ recordTraffic: false })
await server.start()
await server.forGet('/user').thenCallback(() => ({ statusCode: 200, json: user() }))
await server
  .forGet('/users')
  .thenCallback(() => ({ statusCode: 200, json: Array.from({ length: 10 }, user) }))
await server.forGet('/').thenReply(200, '')
process.stdout.write(`listening on ${server.url.replace('localhost', '127.0.0.1')}\n`)
