import { mergeHeaders } from '../../transport/mergeHeaders.ts'
import type { AdapterHeaders } from './adapterHttpOptions.ts'

/** Gives the headers of one request: the adapter's own, then the app's. */
export async function getAdapterHeaders(
  own: Readonly<Record<string, string>>,
  headers: AdapterHeaders | undefined,
): Promise<Readonly<Record<string, string>>> {
  return mergeHeaders(own, typeof headers === 'function' ? await headers() : headers)
}
