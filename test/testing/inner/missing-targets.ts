import { simTest } from '../../../src/testing/index.ts'
import { APP } from '../targets.ts'

for (const app of ['./nowhere.ts:api', `${APP}:other`, `${APP}:notes`]) {
  simTest({ app })(app, ({ simApi }) => void simApi)
}
