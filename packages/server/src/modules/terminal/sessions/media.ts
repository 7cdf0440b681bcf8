import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { normalUuid } from '../../../kernel/fields/index.ts'
import { streamReply } from '../../../kernel/files/serve.ts'
import { defineRoute } from '../../../kernel/http/route.ts'
import { failureAs, permissionDenied, text as say } from '../../../kernel/module/errors.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { findMedia } from '../storage/media-files.ts'
import { findReplay, replayFile, suffixes } from './replay-files.ts'
import { session } from './session.ts'

const known = new Set(Object.values(suffixes))
const missing = () => failureAs(404, 'error', say(texts.replay_missing))

/**
 * The bytes of a recording, for players. In the contract every valid user may fetch them; here it needs the permission
 * to see recordings in the session's own organization. The path is derived from the session, never from the URL.
 */
export const replayMedia = defineRoute({
  method: 'GET',
  path: '/media/replay/:day/:file',
  requires: 'valid',
  summary: 'A recording as a file',
  async handle({ ctx, request }) {
    const name = request.params.file ?? ''
    const id = normalUuid(name.slice(0, 36))
    const suffix = name.slice(36)
    const row = id && known.has(suffix) ? await findById(ctx.acrossOrgs(), session, id) : undefined
    if (!row) throw missing()
    const codes = await ctx.services.permissionsOf(ctx, ctx.me, row.org_id)
    if (!ctx.me.isSuperuser && !codes.has('terminal.view_sessionreplay')) throw permissionDenied()
    const wanted = replayFile(row.id, row.date_start, suffix)
    const found = (await findMedia(ctx, wanted.path)) ?? (await findReplay(ctx, row))
    if (!found || ('path' in found && found.path !== wanted.path)) throw missing()
    const type = suffix.endsWith('.mp4') ? 'video/mp4' : 'application/gzip'
    return streamReply(found, request, { 'content-type': type })
  },
})
