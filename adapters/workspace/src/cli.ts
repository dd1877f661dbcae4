import { runAdapterAsProcess } from 'sim-gateway/adapter'
import { adapter } from './adapter.ts'

await runAdapterAsProcess(adapter)
