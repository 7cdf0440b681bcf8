import type { WebSocket } from 'ws'
import { hear, type SocketRoute } from '../../kernel/http/sockets.ts'
import type { Services } from '../../kernel/module/context.ts'
import { stayPresent } from './presence.ts'
import { siteMessagesSent, unreadTotal } from './site-messages.ts'

const listening = new Map<string, Set<() => void>>()

/** Notifies every open socket of a user of a new message, whichever process stored it. */
export function followSiteMessages(services: Services): void {
  services.events.on(siteMessagesSent, ({ userIds }) => {
    for (const id of userIds) for (const tell of listening.get(id) ?? []) tell()
  })
}

/** The live counter of unread site messages. */
export const siteMessageSocket: SocketRoute = {
  path: '/ws/notifications/site-msg/',
  allow: (ctx) => ctx.caller?.isActive === true && !ctx.caller.isExpired,
  async open(ctx, socket: WebSocket) {
    const userId = ctx.me.id
    const tell = async () => {
      const unread_count = await unreadTotal(ctx, userId)
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ type: 'unread_count', unread_count }))
    }
    const heard = () => void tell().catch(() => socket.terminate())
    const mine = listening.get(userId) ?? new Set()
    mine.add(heard)
    listening.set(userId, mine)
    // Client messages are ignored: the counter is pushed.
    hear(socket, () => {})
    socket.on('close', () => {
      mine.delete(heard)
      if (mine.size === 0) listening.delete(userId)
    })
    const leave = await stayPresent(ctx)
    if (socket.readyState === socket.OPEN) socket.on('close', leave)
    else leave()
    await tell()
  },
}
