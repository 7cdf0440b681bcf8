import type { IncomingMessage } from 'node:http'

/** True for a same-origin request: its origin is the host it was sent to. */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers
  if (!origin || !host) return false
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
