import { readdirSync } from 'node:fs'
import { createTemporaryStorage } from '../../src/files/contents.ts'

const storage = createTemporaryStorage()
storage.append('a', Buffer.from('x'))
const directory = storage.directory as string
process.stdout.write(JSON.stringify([readdirSync(directory).length, directory]))
