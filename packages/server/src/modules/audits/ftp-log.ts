import { join } from 'node:path'
import { fileOperations } from '@castellan/contract/choices/audits'
import { auditsMessages as texts } from '@castellan/contract/messages/audits'
import { errors } from '@castellan/contract/messages/errors'
import { boolean, choice, datetime, nullableText, text, uuid } from '../../kernel/fields/index.ts'
import { receiveFile } from '../../kernel/files/incoming.ts'
import { attachment, streamReply } from '../../kernel/files/serve.ts'
import { created, defineRoute, type Handling, Reply } from '../../kernel/http/route.ts'
import type { Context, Services } from '../../kernel/module/context.ts'
import { type Problem, permissionDenied, text as say } from '../../kernel/module/errors.ts'
import { updateOne } from '../../kernel/resource/mutations.ts'
import { type ChangeOf, defineResource, type Row } from '../../kernel/resource/resource.ts'
import { rowBySegment } from '../../kernel/resource/resource-routes.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { reportedOrgFields } from '../../kernel/resource/standard-fields.ts'
import { componentOf, findMedia, keepFile, organizationOfConnection, reportableSessions } from '../terminal/index.ts'

const org = reportedOrgFields({ required: false })

const fields = {
  user: text({ max: 128, required: true, filter: true }),
  remote_addr: nullableText({ max: 128 }),
  asset: text({ max: 1024, required: true, filter: true }),
  account: text({ max: 128, required: true, filter: true }),
  ...org,
  org_name: { ...org.org_name, undescribed: true },
  operate: choice(fileOperations, { required: true }),
  filename: text({ max: 1024, required: true, filter: true, verbatim: true }),
  date_start: datetime({ readOnly: true, default: () => Date.now() }),
  is_success: boolean({ default: true }),
  has_file: boolean(),
  /** The session; accepted, but not returned. */
  session: { ...uuid({ writeOnly: true }), undescribed: true },
}

const columns = {
  /** The component that reported it. */
  terminal_id: uuid(),
}

/**
 * Validates new entries. An entry that names a session must belong to it and to its component. One without a session,
 * as older gateways send it, needs a connection of that user to that asset, and gets the connection's organization.
 */
async function checkReports(
  ctx: Context,
  changes: readonly ChangeOf<typeof fields, typeof columns>[],
  problem: (index: number, field: 'session' | 'org_id', problem: Problem) => void,
): Promise<void> {
  const own = await componentOf(ctx)
  if (!own) throw permissionDenied(say(errors.components_only))
  const begun = changes.filter(({ mode }) => mode === 'create')
  const sessions = await reportableSessions(
    ctx,
    begun.map(({ row }) => row.session),
  )
  for (const { row, index, input } of begun) {
    row.terminal_id = own.id
    const org = row.session
      ? sessions.get(row.session)?.org_id
      : await organizationOfConnection(ctx, { user: String(row.user), asset: String(row.asset) })
    if (org === undefined) problem(index, 'session', [say(texts[row.session ? 'session_not_own' : 'session_needed'])])
    else if (input.org_id && row.org_id !== org) problem(index, 'org_id', [say(texts.transfer_other_organization)])
    row.org_id = org ?? row.org_id
  }
}

/** A file transferred or changed through a component. */
export const ftpLog = defineResource({
  app: 'audits',
  name: 'ftplog',
  path: 'ftp-logs',
  scope: 'org',
  verbs: ['list', 'retrieve', 'create'],
  wholeRows: true,
  reported: ['create'],
  bulk: false,
  bare: true,
  unlogged: true,
  orgFields: false,
  fields,
  columns,
  indexes: [
    ['org_id', 'date_start', 'id'],
    ['date_start', 'id'],
    ['session', 'date_start'],
  ],
  dateRange: 'date_start',
  defaultOrder: ['-date_start'],
  search: ['user', 'asset', 'account', 'filename'],
  filters: { session: (_ctx, query, value) => query.where('t.session', '=', value) },
  hooks: {
    prepare: (_ctx, input, { mode }) =>
      mode === 'create'
        ? // Older gateways send an empty session when there is none.
          { ...input, org_id: input.org_id ?? '', session: input.session === '' ? null : input.session }
        : { has_file: input.has_file },
    validate: checkReports,
    beforeSave(_ctx, changes) {
      for (const { row, before } of changes) if (before) row.has_file = before.has_file || row.has_file
    },
  },
})

export const ftpFolder = (services: Services) => join(services.dataDir, 'media', 'FTP_FILES')

/** Path of the stored copy below the media folder: by the UTC day of the transfer and the entry's id. */
const pathOf = (row: { id: string; date_start: number }) =>
  `FTP_FILES/${new Date(Number(row.date_start)).toISOString().slice(0, 10)}/${row.id}`

const rowOf = ({ ctx, request }: Handling) => rowBySegment(ctx, ftpLog, request.params.id ?? '')

/** The entry of a further report by a component. Throws 403 for entries of other components. */
async function ownRow(handling: Handling): Promise<Row<typeof ftpLog>> {
  const row = await rowOf(handling)
  const own = await componentOf(handling.ctx)
  if (!own || row.terminal_id !== own.id) throw permissionDenied(say(texts.transfer_of_other))
  return row
}

async function upload(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const row = await ownRow(handling)
  const incoming = await receiveFile(request, join(ftpFolder(ctx.services), '.incoming'))
  if (!incoming.hasFile) {
    await incoming.drop()
    return new Reply(401, { msg: { file: [errors.required[ctx.language]] } })
  }
  if (!(await keepFile(ctx, incoming, pathOf(row), row.terminal_id))) {
    await incoming.drop()
    return new Reply(400, { msg: texts.file_complete[ctx.language] })
  }
  return created({ url: `${ftpLog.url}${row.id}/file/download/` })
}

async function download(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const row = await rowOf(handling)
  const file = await findMedia(ctx, pathOf(row))
  // In the contract this is a page with the message, not an error.
  if (!file) return new Reply(200, texts.file_not_kept[ctx.language], { 'content-type': 'text/html; charset=utf-8' })
  return streamReply(file, request, {
    'content-type': 'application/octet-stream',
    'content-disposition': attachment(row.filename),
  })
}

export const ftpRoutes = [
  defineRoute({
    method: 'PATCH',
    path: `${ftpLog.url}:id/`,
    requires: 'audits.change_ftplog',
    componentsOnly: true,
    summary: 'Report that the file of a transfer is stored',
    async handle(handling) {
      const { ctx, request } = handling
      const row = await updateOne(ctx, ftpLog, await ownRow(handling), request.body ?? {}, true)
      return serializeOne(ctx, ftpLog, row)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ftpLog.url}:id/upload/`,
    requires: 'audits.change_ftplog',
    componentsOnly: true,
    summary: 'Upload the file of a transfer',
    statuses: [201],
    multipart: true,
    transaction: 'none',
    handle: upload,
  }),
  defineRoute({
    method: 'GET',
    path: `${ftpLog.url}:id/file/download/`,
    requires: 'audits.view_ftplog',
    summary: 'The stored file of a transfer',
    mediaType: 'application/octet-stream',
    statuses: [200, 206],
    handle: download,
  }),
]
