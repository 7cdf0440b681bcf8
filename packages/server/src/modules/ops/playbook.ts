import { playbookCreateMethods } from '@castellan/contract/choices/ops'
import { errors } from '@castellan/contract/messages/errors'
import { opsMessages } from '@castellan/contract/messages/ops'
import type { Field } from '../../kernel/fields/field.ts'
import { choice, datetime, json, secret, text, unstored } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { UploadedBytes } from '../../kernel/http/route.ts'
import { reject, text as say } from '../../kernel/module/errors.ts'
import { defineResource } from '../../kernel/resource/resource.ts'
import { creatorField, ownRows, takeOwnership } from './owned.ts'
import { filesOfArchive, largestArchive } from './playbook-archive.ts'
import { fileOf, type PlaybookFile, refusedWith } from './playbook-file.ts'
import { insertFiles } from './playbook-files.ts'
import { firstRefresh } from './playbook-source/kinds.ts'
import { repositoryIn } from './playbook-source/repository-url.ts'
import type { StoredAccess } from './playbook-source/stored-access.ts'

const firstFile = () => fileOf('main.yml', Buffer.from('# This is the entry file of the playbook.\n'))

/** The zip archive from which a playbook is made. Only its files are kept. */
const archive: Field<never, 'none'> = {
  ...unstored(text({ nullable: true }), {
    type: 'file upload',
    parse: (input) => {
      if (input === '' || input === null) return null
      return input instanceof UploadedBytes ? input : reject(opsMessages.archive_needed)
    },
    wire: () => null,
    order: false,
    noExport: true,
  }),
  default: undefined,
  meta: () => ({}),
} as Field<never, 'none'>

/** The name of an archive without its extension. */
const titleOf = ({ name }: UploadedBytes): string => name.split('/').at(-1)?.split('.').at(-2)?.trim() ?? ''

/** Archives that were unpacked before the transaction that stores their files. */
const unpacked = new WeakMap<UploadedBytes, readonly PlaybookFile[]>()

/** @throws 400 for an archive that nobody unpacked: one among many bodies */
function unpackedBefore(upload: UploadedBytes): readonly PlaybookFile[] {
  const files = unpacked.get(upload)
  if (!files) throw refusedWith(opsMessages.archive_needed)
  return files
}

/** A playbook of a user: a folder of files, whose entry is `main.yml`. */
export const playbook = defineResource({
  app: 'ops',
  name: 'playbook',
  path: 'playbooks',
  scope: 'org',
  idWritable: false,
  uploads: largestArchive,
  fields: {
    path: archive,
    name: text({ max: 128, required: true }),
    comment: text({ max: 1024, nullable: true }),
    create_method: choice(playbookCreateMethods, { default: 'blank' }),
    vcs_url: text({ max: 1024, nullable: true }),
    creator: creatorField,
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  columns: {
    /** `StoredAccess`. */
    vcs_access: json<StoredAccess>({ nullable: true }),
    vcs_secret: secret({ nullable: true }),
  },
  unique: [['org_id', 'creator_id', 'name']],
  indexes: [['creator_id']],
  search: ['name', 'comment'],
  defaultOrder: ['date_created'],
  visible: ownRows,
  hooks: {
    async probe(ctx, body) {
      const { path } = objectOf(body)
      if (path instanceof UploadedBytes) unpacked.set(path, await filesOfArchive(ctx.me.id, path.bytes))
    },
    prepare(_ctx, input, { mode }) {
      const isNamed = input.name !== undefined && input.name !== ''
      return mode === 'create' && input.path instanceof UploadedBytes && !isNamed
        ? { ...input, name: titleOf(input.path) }
        : input
    },
    validate(ctx, changes, problem) {
      takeOwnership(ctx, changes)
      for (const { row, index } of changes) {
        if (row.create_method !== 'vcs') continue
        if (!row.vcs_url) problem(index, 'vcs_url', [say(errors.required)])
        else if (!repositoryIn(row.vcs_url)) problem(index, 'vcs_url', [say(opsMessages.vcs_url_invalid)])
      }
    },
    async afterSave(ctx, changes) {
      for (const { mode, row, input } of changes) {
        if (mode !== 'create') continue
        const files = input.path instanceof UploadedBytes ? unpackedBefore(input.path) : [firstFile()]
        await insertFiles(ctx, row.id, files)
        if (row.create_method === 'vcs') await ctx.enqueue(firstRefresh, { playbook: row.id })
      }
    },
    async beforeDelete(ctx, rows) {
      const used = await ctx.acrossOrganizations
        .selectFrom('ops_job')
        .select('id')
        .where(
          'playbook_id',
          'in',
          rows.map(({ id }) => id),
        )
        .limit(1)
        .executeTakeFirst()
      if (used) throw refusedWith(opsMessages.playbook_has_job)
    },
  },
})
