export { EndpointFailed } from './endpoint/endpoint-failed.ts'
export type { Invariant, InvariantContext, RunOptions, Sender } from './endpoint/endpoint.ts'
export { strategyForInputModel, type StrategyOptions } from './strategy-for-input-model.ts'
export { testEndpoint, type EndpointTest } from './test-endpoint.ts'
