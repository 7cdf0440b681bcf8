/**
 * Binary responses of the server: recordings and files. JSON goes through the kit's client; only streamed bodies are
 * fetched here.
 */

/** An error response of a binary request; `code` if the body contains one. */
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
  /** Total size, if the server sends it. */
  total: number | undefined
}

/**
 * Downloads everything from `offset` on in one response: a resumed download is one request instead of many ranges, so
 * that the log has one entry for it.
 * @throws BytesError for an error response, the signal's reason when aborted, TypeError when the network fails
 */
export async function fetchFrom(url: string, offset: number, signal: AbortSignal): Promise<ByteRange> {
  const headers: HeadersInit = offset > 0 ? { Range: `bytes=${offset}-` } : {}
  const response = await fetch(url, { credentials: 'same-origin', headers, signal })
  // The previous response was complete when it was interrupted.
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
