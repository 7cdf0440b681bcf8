import { fill } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { pack } from 'tar-stream'
import { receiveFile } from '../../../kernel/files/incoming.ts'
import { type Action, created, type Handling, Reply } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, text as say } from '../../../kernel/module/errors.ts'
import { recordAction } from '../../../kernel/resource/changes.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { serializeOne } from '../../../kernel/resource/serialize.ts'
import { keepFile } from '../storage/store-files.ts'
import { findReplay, type ReplayFile, replayFile, replayFolder, suffixes } from './replay-files.ts'
import { componentsOf, demandOwnSession } from './session-components.ts'
import type { SessionRow } from './session-fields.ts'

type OnRow = Handling & { row: SessionRow }

const guacamole = new Set(['lion', 'guacamole', 'razor', 'xrdp'])

/** The player for a recording. */
async function playerOf(ctx: Context, row: SessionRow, file: ReplayFile): Promise<string> {
  if (file.suffix === '.cast.gz') return 'asciicast'
  if (file.suffix === '.replay.mp4') return 'mp4'
  const type = (await componentsOf(ctx)).get(row.terminal_id ?? '')?.type ?? ''
  return guacamole.has(type) || row.protocol === 'rdp' || row.protocol === 'vnc' ? 'guacamole' : 'json'
}

/** Media type of a recording with its metadata. */
const archiveType = 'application/octet-stream'

const missing = () => failureAs(404, 'error', say(texts.replay_missing))

/** Logs that a recording was viewed or downloaded. GET has no transaction, so this opens one. */
const noteUse = (ctx: Context, row: SessionRow) =>
  ctx.transaction((inside) => recordAction(inside, findResource('terminal.session'), 'download', row))

async function upload({ ctx, request, row }: OnRow): Promise<unknown> {
  await demandOwnSession(ctx, row)
  const incoming = await receiveFile(request, `${replayFolder(ctx.services)}/.incoming`)
  const version = incoming.fields.version ?? '2'
  const suffix = suffixes[version]
  if (!incoming.hasFile || !suffix) {
    await incoming.drop()
    const { language } = ctx
    const msg = {
      ...(incoming.hasFile ? {} : { file: [errors.required[language]] }),
      ...(suffix ? {} : { version: [fill(errors.not_a_choice[language], { input: version })] }),
    }
    return new Reply(401, { msg })
  }
  const file = replayFile(row.id, Number(row.date_start), suffix)
  const kept = await findReplay(ctx, { ...row, date_start: Number(row.date_start), has_replay: false })
  // A stored recording is final. Sending the same again, after a lost response, succeeds; anything else would be a
  // forgery.
  if ((kept && kept.path !== file.path) || !(await keepFile(ctx, incoming, file.path, row.terminal_id))) {
    await incoming.drop()
    return new Reply(400, { msg: texts.replay_complete[ctx.language] })
  }
  return created({ url: file.url })
}

async function view({ ctx, request, row }: OnRow): Promise<unknown> {
  const file = await findReplay(ctx, { ...row, date_start: Number(row.date_start) })
  if (!file) {
    // As in the contract, the first request answers that the recording is being prepared, later ones return it.
    const key = `terminal:replay:${ctx.me.id}:${row.id}:${request.url.replace(/[?&](_|refresh)=[^&]*/g, '')}`
    const asked = await ctx.services.kv.get<number>(key)
    if (asked && !request.query.refresh) throw missing()
    await ctx.services.kv.set(key, ctx.now, 600)
    return { status: 'running', start_time: ctx.now / 1000, key }
  }
  await noteUse(ctx, row)
  const iso = (at: unknown) => (at === null ? null : new Date(Number(at)).toISOString())
  return {
    type: await playerOf(ctx, row, file),
    src: file.url,
    user: row.user,
    asset: row.asset,
    account: row.account,
    date_start: iso(row.date_start),
    date_end: iso(row.date_end),
    download_url: `/api/v1/terminal/sessions/${row.id}/replay/download/`,
  }
}

async function download({ ctx, row }: OnRow): Promise<unknown> {
  const file = await findReplay(ctx, { ...row, date_start: Number(row.date_start) })
  if (!file) throw missing()
  const content = await file.open()
  await noteUse(ctx, row)
  const facts = Buffer.from(JSON.stringify(await serializeOne(ctx, findResource('terminal.session'), row)))
  const archive = pack()
  archive.entry({ name: `${row.id}.json` }, facts)
  const entry = archive.entry({ name: file.name, size: file.size }, (error) => {
    if (error) archive.destroy(error)
    else archive.finalize()
  })
  content.on('error', (error) => archive.destroy(error)).pipe(entry)
  archive.on('close', () => content.destroy())
  return new Reply(200, archive, {
    'content-type': archiveType,
    'content-disposition': `attachment; filename*=UTF-8''${row.id}.tar`,
  })
}

export const replayActions: readonly Action<SessionRow>[] = [
  {
    path: 'replay',
    methods: ['POST'],
    detail: true,
    requires: 'terminal.upload_sessionreplay',
    componentsOnly: true,
    summary: 'Upload the recording of a session',
    statuses: [201],
    multipart: true,
    // A long upload must not hold a transaction.
    transaction: 'none',
    handle: upload,
  },
  {
    path: 'replay',
    methods: ['GET'],
    detail: true,
    requires: 'terminal.view_sessionreplay',
    summary: 'URL and type of the recording of a session',
    handle: view,
  },
  {
    path: 'replay/download',
    methods: ['GET'],
    detail: true,
    requires: 'terminal.download_sessionreplay',
    answers: [archiveType],
    summary: 'The recording of a session with its metadata, as a tar file',
    handle: download,
  },
]
