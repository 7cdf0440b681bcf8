import { accountsMessages } from '@castellan/contract/messages/accounts'
import type { SecretType } from '@castellan/contract/protocols'
import { batches } from '../../db/batches.ts'
import type { Change } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text as say } from '../../kernel/module/errors.ts'
import type { Sealed } from '../../kernel/security/secrets.ts'
import type { AccountChange, AccountHooks } from './account-fields.ts'
import { copiedSecret } from './copied-secret.ts'
import { entrustedNow } from './destination.ts'
import { amountsKept, remember } from './history.ts'
import { accountsOfAssets } from './known-accounts.ts'
import { pushSaved } from './rotation/push-request.ts'
import { checkSecret } from './secret-rules.ts'
import { openReachableSecrets } from './vault/vault-entries.ts'

export const isSent = (value: unknown): value is string => typeof value === 'string' && value !== ''

type Held = { secret: Sealed | string | null; secret_type: string }

const hasOtherSecret = (before: Held, row: Held) =>
  before.secret !== row.secret || before.secret_type !== row.secret_type

type SecretChange = Change<
  { name: string; username: string; secret: Sealed | null; secret_type: string; fingerprint: string },
  { secret?: string | null; passphrase?: unknown }
>

/**
 * A sent secret as it is stored, with the fingerprint of a key. Throws 400 when it is not valid for its type.
 * @param name of the account, template or plan it was sent for
 */
export function storedForm(type: string, secret: string, passphrase: unknown, name: string) {
  const checked = checkSecret(type as SecretType, secret, isSent(passphrase) ? passphrase : undefined)
  if (checked.problem)
    throw invalid([
      checked.problem === 'private_key'
        ? // An asset may be created with several accounts.
          say(accountsMessages.private_key_invalid, { name })
        : say(accountsMessages.secret_template_syntax),
    ])
  return checked
}

/** Validates a sent secret and sets its stored form in the row. */
export function settleSecret(change: SecretChange): void {
  const { row, values, before } = change
  if (!isSent(values.secret)) {
    // A secret is only valid for its type, so a new type without a new secret clears it.
    if (before && before.secret_type !== row.secret_type && before.secret) row.secret = null
    if (!row.secret) row.fingerprint = ''
    return
  }
  const { secret, fingerprint } = storedForm(
    row.secret_type,
    values.secret,
    values.passphrase,
    String(row.name || row.username),
  )
  row.secret = secret
  row.fingerprint = fingerprint
}

/** Two accounts of one asset must differ in name, and in username or type of secret. */
async function checkConflicts(ctx: Context, changes: readonly AccountChange[]): Promise<void> {
  const telling = ['name', 'username', 'secret_type', 'asset_id'] as const
  const moved = changes.filter(({ before, row }) => before && telling.some((column) => before[column] !== row[column]))
  const known = await accountsOfAssets(
    ctx,
    moved.map(({ row }) => row.asset_id),
  )
  for (const { row } of moved) {
    const others = (known.get(row.asset_id) ?? []).filter(({ id }) => id !== row.id)
    if (others.some(({ name }) => name === row.name))
      throw invalid({ name: [say(accountsMessages.account_name_exists)] })
    if (others.some(({ username, secret_type }) => username === row.username && secret_type === row.secret_type))
      throw invalid({ username: [say(accountsMessages.account_exists)] })
  }
}

/**
 * Moving an account to another asset copies its secret there, so it needs the same permission. Switching is possible
 * only from accounts of the same asset, because the secret of the switching account is sent there, too.
 */
async function checkMoves(ctx: Context, changes: readonly AccountChange[]): Promise<void> {
  for (const { before, row, values } of changes)
    if (before?.secret && before.asset_id !== row.asset_id && !isSent(values.secret)) await copiedSecret(ctx, before)
  const wishes = changes.filter(({ before, row }) => row.su_from_id && row.su_from_id !== before?.su_from_id)
  for (const some of batches(wishes)) {
    const sources = await ctx.acrossOrganizations
      .selectFrom('accounts_account')
      .select(['id', 'asset_id'])
      .where(
        'id',
        'in',
        some.map(({ row }) => row.su_from_id),
      )
      .execute()
    const assets = new Map(sources.map(({ id, asset_id }) => [id, asset_id]))
    if (some.some(({ row }) => assets.get(row.su_from_id) !== row.asset_id))
      throw invalid({ su_from: [say(accountsMessages.su_from_elsewhere)] })
  }
}

/** Sending the same secret again is not a change. */
async function keepSame(ctx: Context, changes: readonly AccountChange[]): Promise<void> {
  const sent = changes.filter(
    ({ before, row }) => before?.secret && before.secret_type === row.secret_type && isSent(row.secret),
  )
  const befores = sent.flatMap(({ before }) => before ?? [])
  const opened = await openReachableSecrets(ctx, 'account', befores)
  for (const { before, row } of sent) if (before && opened.get(before.id) === row.secret) row.secret = before.secret
}

/**
 * Whoever sends a secret, or may copy it, gives it to the asset as it is now. One that only is there, or that comes
 * later from a template, is not given to anything that was decided meanwhile.
 */
async function entrust(ctx: Context, changes: readonly AccountChange[]): Promise<void> {
  const given = changes.filter(
    ({ before, row, values }) => isSent(values.secret) || (before !== undefined && before.asset_id !== row.asset_id),
  )
  if (given.length === 0) return
  const now = await entrustedNow(
    ctx,
    given.map(({ row }) => row.asset_id),
  )
  for (const { row } of given) row.entrusted = now(row.asset_id)
}

export const accountHooks: AccountHooks = {
  prepare(_ctx, input, { mode, partial }) {
    if (mode === 'create') return input
    const { username: _username, on_invalid: _policy, template: _template, ...body } = input
    return partial ? body : { ...body, username: input.username ?? '' }
  },
  async validate(ctx, changes) {
    for (const change of changes) {
      const { before, row } = change
      if (before) {
        // The username cannot change; changing an account manually detaches it from its template.
        row.username = before.username
        row.source_id = null
        row.name = row.name || before.name
      } else row.name = row.name || row.username
      settleSecret(change)
    }
    await keepSame(ctx, changes)
    const renewed = new Set(changes.filter(({ before, row }) => before && hasOtherSecret(before, row)))
    const amount = await amountsKept(
      ctx,
      [...renewed].map(({ row }) => row.id),
    )
    for (const change of changes) {
      const { before, row } = change
      row.version = !before ? 1 : renewed.has(change) ? Math.max(amount(row.id), 1) : Number(before.version)
    }
    await checkConflicts(ctx, changes)
    await checkMoves(ctx, changes)
    await entrust(ctx, changes)
  },
  async afterSave(ctx, changes) {
    const renewed = changes.filter(({ row, before }) => !before || hasOtherSecret(before, row))
    await remember(
      ctx,
      renewed.map(({ row: { id, secret, secret_type, version } }) => ({ id, secret, secret_type, version })),
    )
    await pushSaved(ctx, changes)
  },
}
