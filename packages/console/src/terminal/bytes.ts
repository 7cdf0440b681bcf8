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

/**
 * Asks for bytes from `offset` on, at most `length` of them.
 * @throws BytesError for a refusal, the signal's reason when it is aborted, TypeError when the network fails
 */
export async function fetchRange(
  url: string,
  offset: number,
  length: number,
  signal: AbortSignal,
): Promise<{ bytes: Blob; total: number | undefined }> {
  const response = await fetch(url, {
    credentials: 'same-origin',
    headers: { Range: `bytes=${offset}-${offset + length - 1}` },
    signal,
  })
  // An empty file has no range to give.
  if (response.status === 416) return { bytes: new Blob(), total: offset }
  if (!response.ok) throw await refusal(response)
  const bytes = await response.blob()
  if (response.status === 200) return { bytes: bytes.slice(offset), total: bytes.size }
  const total = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1]
  return { bytes, total: total === undefined ? undefined : Number(total) }
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
