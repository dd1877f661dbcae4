import { createPlatformClient, PalantirApiError, type PlatformClient } from '@osdk/client'

/** The official client of the platform's functions, unmodified. */
export const platformClient = (baseUrl: string, token = 'token'): PlatformClient =>
  createPlatformClient(baseUrl, () => Promise.resolve(token))

/** The error that a call of an official client ends with. */
export const refusalOf = async (call: Promise<unknown>): Promise<PalantirApiError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof PalantirApiError) return error
  throw new Error(`the client did not throw its error, but ${String(error)}`)
}
