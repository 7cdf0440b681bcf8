import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { runasPolicies } from '@castellan/contract/choices/ops'
import { errors } from '@castellan/contract/messages/errors'
import { opsMessages } from '@castellan/contract/messages/ops'
import { boolean, choice, integer, normalUuid, stringList, text } from '../../../kernel/fields/index.ts'
import { attachment, streamReply } from '../../../kernel/files/serve.ts'
import { created, defineRoute, noContent } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, notFound, text as say } from '../../../kernel/module/errors.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { createOne } from '../../../kernel/resource/mutations.ts'
import { updateRow } from '../../../kernel/resource/repository.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { demandExecutionAllowed } from '../execution-allowed.ts'
import { job } from '../job.ts'
import { type JobSnapshot, jobExecution } from '../job-execution.ts'
import { fetchedPath } from '../run/output-store.ts'
import { startExecution } from '../run/start.ts'
import type { Transfer } from './transfer.ts'
import { largestFile, removeUpload, takeUpload, type Upload, uploadsOf } from './uploads.ts'

/** Files that one transfer sends. */
const mostFiles = 20

const targetFields = {
  assets: stringList({ default: [], max: 36, maxItems: 10_000 }),
  nodes: stringList({ nullable: true, max: 64, maxItems: 10_000 }),
  runas: text({ max: 128, required: true }),
  runas_policy: choice(runasPolicies, { default: 'skip' }),
  timeout: integer({ default: -1, min: -1, max: 86_400 }),
}
const uploadFields = {
  ...targetFields,
  files: stringList({ required: true, max: 36, maxItems: mostFiles }),
  folder: text({ max: 1024, default: '', verbatim: true }),
  overwrite: boolean({ default: false }),
}
const fetchFields = { ...targetFields, file: text({ max: 1024, required: true, verbatim: true }) }

interface Targets {
  assets: string[]
  nodes?: string[] | null
  runas: string
  runas_policy: string
  timeout: number
}

type ToUpload = Targets & { files: string[]; folder: string; overwrite: boolean }

/** Starts a transfer as a quick job. Its hosts are decided as those of commands are. */
async function begin(ctx: Context, targets: Targets, transfer: Omit<Transfer, 'remote_addr'>) {
  const { assets, nodes, runas, runas_policy, timeout } = targets
  if (assets.length + (nodes?.length ?? 0) === 0) throw invalid({ assets: [say(errors.required)] })
  // A path with a null character would be another one for the host.
  if (transfer.path.includes('\0')) throw invalid({ path: [say(opsMessages.upload_name)] })
  return ctx.transaction(async (inside) => {
    const body = { assets, nodes: nodes ?? [], runas, runas_policy, timeout, instant: true, is_periodic: false }
    const row = await createOne(inside, job, body)
    const stored: Transfer = { ...transfer, remote_addr: ctx.ip }
    await updateRow(inside, job, row.id, { transfer: stored })
    return created({ task_id: await startExecution(inside, { ...row, transfer: stored }, {}) })
  })
}

async function chosenUploads(ctx: Context, ids: readonly string[]): Promise<Upload[]> {
  if (ids.length === 0) throw invalid({ files: [say(errors.required)] })
  const own = new Map((await uploadsOf(ctx)).map((upload) => [upload.id, upload]))
  const chosen = [...new Set(ids)].map((id) => {
    const upload = own.get(normalUuid(id) ?? '')
    if (!upload) throw invalid({ files: [say(opsMessages.upload_gone)] })
    return upload
  })
  if (new Set(chosen.map(({ name }) => name)).size < chosen.length)
    throw invalid({ files: [say(opsMessages.upload_twice)] })
  return chosen
}

const requires = ['ops.add_job', 'ops.add_jobexecution'] as const
const uploads = '/api/v1/ops/file-uploads/'
const transfers = '/api/v1/ops/file-transfers/'

/** Files to many hosts, and from them. */
export const transferRoutes = [
  defineRoute({
    method: 'GET',
    path: uploads,
    requires: [...requires],
    summary: 'The files that the caller has uploaded for hosts',
    handle: ({ ctx }) => uploadsOf(ctx),
  }),
  defineRoute({
    method: 'GET',
    path: `${transfers}limits/`,
    requires: [...requires],
    summary: 'Bytes of the largest file, in either direction',
    handle: ({ ctx }) => ({ file: largestFile(ctx) }),
  }),
  defineRoute({
    method: 'POST',
    path: uploads,
    requires: [...requires],
    summary: 'Upload a `file` that is to be sent to hosts; it is kept for a day',
    statuses: [201],
    multipart: true,
    transaction: 'none',
    async handle({ ctx, request }) {
      demandExecutionAllowed(ctx)
      return created(await takeUpload(ctx, request))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${uploads}:id/`,
    requires: [...requires],
    summary: 'Delete an uploaded file',
    statuses: [204],
    transaction: 'none',
    async handle({ ctx, request }) {
      const id = normalUuid(request.params.id)
      if (!id) throw notFound(opsMessages.upload)
      await removeUpload(ctx, id)
      return noContent()
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${transfers}upload/`,
    requires: [...requires],
    summary: 'Send uploaded `files` into a `folder` of hosts',
    statuses: [201],
    fields: { POST: uploadFields },
    transaction: 'none',
    async handle({ ctx, request }) {
      demandExecutionAllowed(ctx)
      const asked = readBody<ToUpload>(ctx, uploadFields, request.body)
      const files = await chosenUploads(ctx, asked.files)
      return begin(ctx, asked, { direction: 'upload', path: asked.folder, overwrite: asked.overwrite, files })
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${transfers}fetch/`,
    requires: [...requires],
    summary: 'Fetch a `file` from hosts',
    statuses: [201],
    fields: { POST: fetchFields },
    transaction: 'none',
    async handle({ ctx, request }) {
      demandExecutionAllowed(ctx)
      const asked = readBody<Targets & { file: string }>(ctx, fetchFields, request.body)
      return begin(ctx, asked, { direction: 'fetch', path: asked.file, overwrite: false, files: [] })
    },
  }),
  ...actionRoutes(jobExecution, [
    {
      path: 'fetched-file',
      methods: ['GET'],
      detail: true,
      requires: 'ops.view_jobexecution',
      summary: 'The file that was fetched from `asset`',
      mediaType: 'application/octet-stream',
      statuses: [200, 206],
      async handle({ ctx, request, row }) {
        const asset = normalUuid(request.query.asset)
        const path = asset && fetchedPath(ctx.services, String(row.id), asset)
        const size = path ? (await stat(path).catch(() => undefined))?.size : undefined
        const from = (row.snapshot as unknown as JobSnapshot).transfer?.path
        if (!path || size === undefined || from === undefined) throw notFound(opsMessages.fetched_file)
        return streamReply({ size, open: async (range) => createReadStream(path, range) }, request, {
          'content-type': 'application/octet-stream',
          'content-disposition': attachment(posix.basename(from)),
        })
      },
    },
  ]),
]
