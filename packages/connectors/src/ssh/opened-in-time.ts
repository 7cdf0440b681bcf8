import type { ConnectError } from '@castellan/contract/connect-reasons'

/** How long a target may take to open a channel. Milliseconds. */
const openingTimeout = 20_000

export const timedOut = (what: string): ConnectError => Object.assign(new Error(what), { code: 'ETIMEDOUT' })

/**
 * A channel that a target is asked to open. Rejects with the target's error, or with `ETIMEDOUT` when it does not
 * answer: the connection of a target that hangs stays open for minutes.
 */
export function openedInTime<Channel>(
  ask: (done: (error: Error | undefined, channel: Channel) => void) => void,
): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const late = () => reject(timedOut(`no channel within ${openingTimeout / 1000} s`))
    const timer = setTimeout(late, openingTimeout)
    ask((error, channel) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(channel)
    })
  })
}
