import { AdapterFault } from 'sim-gateway/adapter'

/** Why a request with such values would be refused, for fixtures that hold the same; `undefined` when it would not be. */
export function refusalOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (AdapterFault.is(error)) return String((error.body as { readonly message?: string }).message)
    throw error
  }
}
