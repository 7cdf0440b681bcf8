/** With what a repository that is not public is read. */
import { createHash } from 'node:crypto'
import { vcsAccessMethods } from '@castellan/contract/choices/ops'
import { errors } from '@castellan/contract/messages/errors'
import { opsMessages } from '@castellan/contract/messages/ops'
import { boolean, choice, secret, text as textField } from '../../../kernel/fields/index.ts'
import type { Action } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, invalid, type Text, text } from '../../../kernel/module/errors.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { recordUpdates } from '../../../kernel/resource/changes.ts'
import { findById, lockRow, updateRow } from '../../../kernel/resource/repository.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { readPrivateKey } from '../../accounts/index.ts'
import { playbook } from '../playbook.ts'
import { firstRefresh } from './kinds.ts'
import { type RepositoryAddress, repositoryAddress } from './repository-url.ts'
import type { StoredAccess } from './stored-access.ts'

type PlaybookRow = Row<typeof playbook>

/** The same with its secret opened. */
export interface Access extends StoredAccess {
  readonly secret: string
}

const none = (origin: string): StoredAccess => ({ origin, method: 'none', username: '' })

function storedAccess(row: PlaybookRow, { origin }: RepositoryAddress): StoredAccess {
  const stored = row.vcs_access
  return stored?.origin === origin ? stored : none(origin)
}

/** With what a repository is read. A secret that was entered for another host is not used. */
export function accessOf(ctx: Context, row: PlaybookRow, address: RepositoryAddress): Access {
  const stored = storedAccess(row, address)
  const isUsed = stored.method !== 'none' && row.vcs_secret
  return { ...stored, secret: isUsed && row.vcs_secret ? ctx.services.vault.open(row.vcs_secret) : '' }
}

/** Pins the host key that a repository showed first; nothing when its owner has changed the access meanwhile. */
export async function pinHostKey(ctx: Context, id: string, address: RepositoryAddress, hostKey: string): Promise<void> {
  await lockRow(ctx, playbook.table, id)
  const row = await findById(ctx, playbook, id)
  if (!row || row.vcs_access?.origin !== address.origin || row.vcs_access.hostKey) return
  await updateRow(ctx, playbook, id, { vcs_access: { ...row.vcs_access, hostKey } })
  await logged(ctx, row, { vcs_host_key: '' }, { vcs_host_key: fingerprintOf(hostKey) })
}

function fingerprintOf(hostKey: string | undefined): string {
  const [, key] = hostKey?.split(' ') ?? []
  if (!key) return ''
  return `SHA256:${createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '')}`
}

const logged = (ctx: Context, row: PlaybookRow, before: object, after: object) =>
  recordUpdates(ctx, playbook, [{ row, before: { ...before }, after: { ...after } }])

/** What is shown of it. */
function shown(row: PlaybookRow) {
  const address = repositoryAddress(row.vcs_url ?? '')
  const access = storedAccess(row, address)
  return {
    method: access.method,
    username: access.username,
    has_secret: access.method !== 'none' && row.vcs_secret !== null,
    host_key: fingerprintOf(access.hostKey),
    scheme: address.scheme,
  }
}

const fields = {
  method: choice(vcsAccessMethods, { required: true }),
  username: textField({ max: 128, default: '' }),
  secret: secret({ max: 16_384 }),
  passphrase: secret({ max: 1024 }),
  forget_host_key: boolean({ default: false }),
}

interface Sent {
  method: StoredAccess['method']
  username: string
  secret?: string | null
  passphrase?: string | null
  forget_host_key: boolean
}

const refused = (field: keyof Sent, message: Text) => invalid({ [field]: [message] })

/** What would end a line of Git's protocol, and other control characters. */
const unusable = /\p{Cc}/u

/** The secret as it is stored; undefined keeps the one that is. @throws 400 */
function secretOf({ method, secret, passphrase, username }: Sent, canKeep: boolean): string | null | undefined {
  if (method === 'none') return null
  if (method === 'password') {
    if (username === '') throw refused('username', text(errors.required))
    if (unusable.test(username) || username.includes(':')) throw refused('username', text(opsMessages.vcs_username))
    if (secret && unusable.test(secret)) throw refused('secret', text(opsMessages.vcs_password))
  }
  if (!secret) {
    if (canKeep) return undefined
    throw refused('secret', text(errors.required))
  }
  if (method === 'password') return secret
  const key = readPrivateKey(secret, passphrase || undefined)
  if (!key) throw refused('secret', text(opsMessages.vcs_key))
  return key.pem
}

async function store(ctx: Context, row: PlaybookRow, sent: Sent) {
  const address = repositoryAddress(row.vcs_url ?? '')
  const before = storedAccess(row, address)
  const { method } = sent
  const isPossible = method === 'none' || method === (address.scheme === 'ssh' ? 'ssh_key' : 'password')
  if (!isPossible) throw refused('method', text(opsMessages.vcs_method))
  const secret = secretOf(sent, before.method === method && row.vcs_secret !== null)
  const vcs_access: StoredAccess = {
    ...{ origin: address.origin, method, username: method === 'password' ? sent.username : '' },
    ...(before.hostKey && !sent.forget_host_key ? { hostKey: before.hostKey } : {}),
  }
  const values = { vcs_access, ...(secret === undefined ? {} : { vcs_secret: secret }) }
  await updateRow(ctx, playbook, row.id, values)
  const mask = secret ? { vcs_secret: '******' } : {}
  const told = ({ method: name, username, hostKey }: StoredAccess) => ({
    ...{ vcs_access_method: name, vcs_access_username: username, vcs_host_key: fingerprintOf(hostKey) },
  })
  await logged(ctx, row, told(before), { ...told(vcs_access), ...mask })
  // Its files are there when somebody looks.
  await ctx.enqueue(firstRefresh, { playbook: row.id })
  return { ...row, ...values, vcs_secret: secret === undefined ? row.vcs_secret : secret }
}

/** How the repository of a playbook is signed in to, for its owner. */
export const accessAction: Action = {
  path: 'vcs-access',
  methods: ['GET', 'PUT'],
  detail: true,
  requires: 'ops.change_playbook',
  summary: 'How the Git repository of a playbook is signed in to; its secret is written only',
  fields: { PUT: fields },
  async handle({ ctx, request, row }) {
    const own = row as PlaybookRow
    if (own.create_method !== 'vcs') throw badRequest(text(opsMessages.vcs_none), 'vcs_none')
    if (request.method === 'GET') return shown(own)
    const saved = await store(ctx, own, readBody<Sent>(ctx, fields, request.body))
    return shown(saved as PlaybookRow)
  },
}
