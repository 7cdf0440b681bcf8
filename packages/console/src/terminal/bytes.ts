/**
 * Bytes from the server: recordings and files. Everything that is JSON goes through the kit's client; only a body that
 * must be read as it comes is fetched here.
 */

/** A refusal of a byte request; `code` when the body named one. */
export class BytesError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, detail: string) {
    super(detail)
    this.status = status
    this.code = code
  }
}

export interface ByteRange {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Size of the whole, when the server says it. */
  total: number | undefined
}

/**
 * Everything from `offset` on, as one answer: a download that goes on is one request, not one per piece, so that the
 * log has one entry for it.
 * @throws BytesError for a refusal, the signal's reason when it is aborted, TypeError when the network fails
 */
export async function fetchFrom(url: string, offset: number, signal: AbortSignal): Promise<ByteRange> {
  const headers: HeadersInit = offset > 0 ? { Range: `bytes=${offset}-` } : {}
  const response = await fetch(url, { credentials: 'same-origin', headers, signal })
  // Everything was there already when the last answer broke off.
  if (response.status === 416) return { stream: new Blob().stream(), total: offset }
  if (!response.ok || !response.body) throw await refusal(response)
  if (offset > 0 && response.status !== 206) throw new BytesError(response.status, 'offset_mismatch', 'no range')
  const ranged = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1]
  const length = ranged ?? response.headers.get('Content-Length')
  return { stream: response.body, total: length === null ? undefined : Number(length) }
}

/** The bytes as a stream. @throws BytesError for a refusal */
export async function fetchStream(url: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await fetch(url, { credentials: 'same-origin', signal })
  if (!response.ok || !response.body) throw await refusal(response)
  return response.body
}

async function refusal(response: Response): Promise<BytesError> {
  const body: unknown = await response.json().catch(() => undefined)
  const { code, detail } = (body ?? {}) as { code?: unknown; detail?: unknown }
  return new BytesError(
    response.status,
    typeof code === 'string' ? code : '',
    typeof detail === 'string' ? detail : `HTTP ${response.status}`,
  )
}
