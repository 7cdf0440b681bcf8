import type { IncomingMessage } from 'node:http'

/** True for a request a page of ours made: its origin is the host it was sent to. */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers
  if (!origin || !host) return false
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
