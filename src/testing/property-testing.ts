export { EndpointFailed } from './endpoint/endpoint-failed.ts'
export type { Invariant, InvariantContext, RunOptions, Sender } from './endpoint/endpoint.ts'
export { strategyForInputModel, type StrategyOptions } from './strategy/compile-strategy.ts'
export { testEndpoint, type EndpointTest } from './test-endpoint.ts'
