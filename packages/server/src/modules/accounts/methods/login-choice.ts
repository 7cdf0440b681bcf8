import type { Become, SystemLogin } from '@castellan/connectors/accounts'
import { say } from '@castellan/contract/messages'
import { rotationMessages } from '@castellan/contract/messages/rotation'
import { protocolOf } from '@castellan/contract/protocols'
import { batches } from '../../../db/batches.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll, findById } from '../../../kernel/resource/repository.ts'
import { type AssetRow, type Platform, TargetFailure } from '../../assets/index.ts'
import { account } from '../account.ts'
import type { AccountRow } from '../account-fields.ts'
import { heldBack } from '../destination.ts'
import { loginRow } from '../login.ts'
import { usedSecret, usedSecrets } from '../secret.ts'
import { demandUse } from '../use-rules.ts'

/** Types of secrets with which a protocol signs in. */
export function takesSecret(protocol: string, type: string): type is 'password' | 'ssh_key' {
  const types: readonly string[] = protocolOf(protocol)?.secretTypes ?? ['password']
  return (type === 'password' || type === 'ssh_key') && types.includes(type)
}

/** The account with which work on other accounts of an asset signs in. @throws TargetFailure when there is none */
export async function privilegedRow(ctx: Context, asset: AssetRow, protocol: string): Promise<AccountRow> {
  const row = await loginRow(ctx, asset.id, ({ secret_type }) => takesSecret(protocol, secret_type))
  if (!row) throw new TargetFailure('no_login_account', say(rotationMessages.no_login_account, ctx.language))
  await demandUse(ctx, row)
  return row
}

const passwordOf = ({ secret_type }: AccountRow, secret: string) => (secret_type === 'password' ? secret : '')

/**
 * How this account signs in to change others: by the account it is switched from where the platform says so, and as root
 * where it is not root itself. Every secret that is opened is logged.
 */
export async function privilegedLogin(
  ctx: Context,
  row: AccountRow,
  platform: Platform | undefined,
  protocol: string,
): Promise<SystemLogin> {
  const own = await usedSecret(ctx, row, protocol)
  const direct = { username: row.username, secretType: row.secret_type as 'password' | 'ssh_key', secret: own }
  if (protocol !== 'ssh' || !platform?.su_enabled) return direct
  const method: Become['method'] = platform.su_method === 'su' ? 'su' : 'sudo'
  const from = row.su_from_id ? await findById(ctx, account, row.su_from_id) : undefined
  if (from?.secret && from.is_active && takesSecret(protocol, from.secret_type)) {
    const secret = await usedSecret(ctx, from, protocol)
    const password = method === 'sudo' ? passwordOf(from, secret) : passwordOf(row, own)
    return {
      username: from.username,
      secretType: from.secret_type,
      secret,
      become: { method, username: row.username, password },
    }
  }
  if (row.username === 'root') return direct
  // Only sudo asks for a password that is known here.
  return { ...direct, become: { method: 'sudo', username: 'root', password: passwordOf(row, own) } }
}

/** An account as which a user's commands run. */
export interface CommandAccount {
  readonly row: AccountRow
  readonly platform: Platform | undefined
  readonly protocol: string
}

/** The active accounts, with a secret that may be opened, from which these are switched to, by their ids. */
async function switchedFrom(ctx: Context, wanted: readonly CommandAccount[]): Promise<Map<string, AccountRow>> {
  const found = new Map<string, AccountRow>()
  const ids = wanted.flatMap(({ row, platform, protocol }) =>
    protocol === 'ssh' && platform?.su_enabled && row.su_from_id ? [row.su_from_id] : [],
  )
  for (const some of batches([...new Set(ids)])) {
    const rows = await findAll(ctx, account, (query) => query.where('t.id', 'in', some))
    const held = await heldBack(ctx, rows)
    rows.forEach((row, at) => {
      if (row.secret && row.is_active && !held[at]) found.set(row.id, row)
    })
  }
  return found
}

/**
 * How a user's commands are run as accounts: by themselves, or switched to from the accounts that their platforms name.
 * They never become more than these accounts. Every secret that is opened is logged.
 * @returns in the order of the accounts
 */
export async function commandLogins(ctx: Context, wanted: readonly CommandAccount[]): Promise<SystemLogin[]> {
  const sources = await switchedFrom(ctx, wanted)
  const switches = wanted.map(({ row, platform, protocol }) => {
    const isSwitched = protocol === 'ssh' && platform?.su_enabled === true && row.su_from_id !== null
    const from = isSwitched ? sources.get(row.su_from_id as string) : undefined
    return from && takesSecret(protocol, from.secret_type) ? from : undefined
  })
  const secrets = await usedSecrets(
    ctx,
    wanted.flatMap(({ row, protocol }, at) => {
      const from = switches[at]
      return from
        ? [
            { row, protocol },
            { row: from, protocol },
          ]
        : [{ row, protocol }]
    }),
  )
  const secretOf = ({ id }: AccountRow) => secrets.get(id) ?? ''
  return wanted.map(({ row, platform }, at) => {
    const from = switches[at]
    if (!from) return ownLogin(row, secretOf(row))
    const method: Become['method'] = platform?.su_method === 'su' ? 'su' : 'sudo'
    const asked = method === 'sudo' ? from : row
    const become: Become = { method, username: row.username, password: passwordOf(asked, secretOf(asked)) }
    return { ...ownLogin(from, secretOf(from)), become }
  })
}

/** How a login becomes another account of its asset, as its platform switches accounts; undefined where it does not. */
export async function becomeFor(
  ctx: Context,
  login: SystemLogin,
  row: AccountRow,
  platform: Platform | undefined,
): Promise<Become | undefined> {
  if (!platform?.su_enabled) return undefined
  const { username } = row
  if (platform.su_method === 'su')
    return { method: 'su', username, password: passwordOf(row, await usedSecret(ctx, row, 'ssh')) }
  return { method: 'sudo', username, password: login.secretType === 'password' ? login.secret : '' }
}

/** An account signing in as itself, with one of its secrets. */
export const ownLogin = (row: AccountRow, secret: string): SystemLogin => ({
  username: row.username,
  secretType: row.secret_type === 'ssh_key' ? 'ssh_key' : 'password',
  secret,
})
