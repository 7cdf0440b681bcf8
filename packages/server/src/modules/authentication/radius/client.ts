import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import type { Context } from '../../../kernel/module/context.ts'
import { radius } from '../backends/directory-settings.ts'
import { type Answer, answerIn, codes, fits, request } from './packet.ts'

/** When a request is sent again, and when its answer is no longer waited for. Milliseconds. */
const sendAgainAfter = [1000, 3000]
const waitFor = 6000

export type Verdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected' }
  /** The server wants another answer, which has to come with this state. */
  | { readonly kind: 'challenged'; readonly state: string }

const rejected: Verdict = { kind: 'rejected' }

/**
 * Asks the RADIUS server about a password. Rejected, too, when the server is not set, not reached, or answers in a way
 * that cannot be trusted; the log says which.
 */
export async function askRadius(
  ctx: Context,
  typed: { username: string; password: string; state?: string },
): Promise<Verdict> {
  const { RADIUS_SERVER: host, RADIUS_PORT: port, RADIUS_SECRET: sealed } = radius.of(ctx)
  const secret = sealed ? ctx.services.vault.open(sealed) : ''
  if (!host || !secret || !fits(typed.username, typed.password)) return rejected
  const question = {
    id: randomBytes(1)[0] ?? 0,
    authenticator: randomBytes(16),
    secret: Buffer.from(secret),
    username: typed.username,
    password: typed.password,
    ...(typed.state ? { state: Buffer.from(typed.state, 'base64') } : {}),
  }
  try {
    const { answer, ignored } = await exchange(host, port, request(question), (data) => answerIn(data, question))
    if (!answer)
      ctx.services.log.warn({ host, ignored }, 'The RADIUS server did not give an answer that can be trusted')
    if (answer?.code === codes.accessAccept) return { kind: 'accepted' }
    if (answer?.code === codes.accessChallenge && answer.state)
      return { kind: 'challenged', state: answer.state.toString('base64') }
  } catch (error) {
    ctx.services.log.warn({ err: error, host }, 'The RADIUS server could not be asked')
  }
  return rejected
}

/**
 * Sends a packet until an answer is accepted. What is not accepted is ignored: a forged packet must neither pass nor end
 * the waiting for the right one.
 */
async function exchange(
  host: string,
  port: number,
  packet: Buffer,
  accept: (data: Buffer) => Answer | undefined,
): Promise<{ answer: Answer | undefined; ignored: number }> {
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const timers: NodeJS.Timeout[] = []
  let ignored = 0
  try {
    return await new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.on('message', (data) => {
        const answer = accept(data)
        if (answer) resolve({ answer, ignored })
        else ignored += 1
      })
      // A connected socket receives from this address and port only.
      socket.connect(port, address, () => {
        const send = () => socket.send(packet)
        send()
        timers.push(...sendAgainAfter.map((after) => setTimeout(send, after)))
        timers.push(setTimeout(() => resolve({ answer: undefined, ignored }), waitFor))
      })
    })
  } finally {
    for (const timer of timers) clearTimeout(timer)
    socket.close()
  }
}
