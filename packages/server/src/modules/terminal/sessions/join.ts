import type { Message } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { normalUuid } from '../../../kernel/fields/index.ts'
import { type Action, Reply } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { callerById } from '../../authentication/index.ts'
import { canJoin, componentsOf } from './session-components.ts'
import type { SessionRow } from './session-fields.ts'
import { ticketSessions } from './ticket-sessions.ts'

const refused = (ctx: Context, message: Message) => new Reply(401, { ok: false, msg: message[ctx.language] })

/** A component checks whether a user may watch a session. Every error is a 401. */
export const joinCheck: Action = {
  path: 'join/validate',
  methods: ['POST'],
  requires: 'terminal.validate_sessionactionperm',
  componentsOnly: true,
  summary: 'Whether a user may watch a session',
  async handle({ ctx, request }) {
    const { user_id: userId, session_id: sessionId } = (request.body ?? {}) as Record<string, unknown>
    const [user, id] = [normalUuid(userId), normalUuid(sessionId)]
    if (!user || !id) return refused(ctx, texts.session_not_joinable)
    const found = await findById(ctx.acrossOrgs(), findResource('terminal.session'), id)
    const row = found as SessionRow | undefined
    const type = row && (await componentsOf(ctx)).get(row.terminal_id ?? '')?.type
    if (!row || !canJoin(row, type)) return refused(ctx, texts.session_not_joinable)
    const caller = await callerById(ctx, user)
    if (!caller?.isActive || caller.isExpired) return refused(ctx, errors.permission_denied)
    const codes = await ctx.services.permissionsOf(ctx, caller, row.org_id)
    const isAllowed =
      caller.isSuperuser ||
      codes.has('terminal.monitor_session') ||
      (await ticketSessions.use(ctx, caller.id, [row.id])).has(row.id)
    if (!isAllowed) return refused(ctx, errors.permission_denied)
    return { ok: true, msg: '' }
  },
}
