import { signInErrors } from '@castellan/contract/messages/sign-in'
import type { TableShape } from '../../db/schema.ts'
import type { Context } from '../../kernel/module/context.ts'
import { type Text, text } from '../../kernel/module/errors.ts'
import { defineHook } from '../../kernel/module/hooks.ts'
import { holdingsOf } from '../rbac/index.ts'
import { isOrgAdmin } from './role-fields.ts'
import { passwordSettings } from './settings.ts'
import type { KnownUser } from './user-fields.ts'

/** Hashes of earlier passwords, to prevent reuse. */
export const passwordHistoryTable: TableShape = {
  name: 'users_passwordhistory',
  columns: {
    id: { type: 'serial' },
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    password_hash: { type: 'text' },
    date_created: { type: 'timestamp' },
  },
  primaryKey: ['id'],
  unique: [],
  indexes: [['user_id', 'id']],
}

export interface PasswordRules {
  minLength: number
  upper: boolean
  lower: boolean
  digit: boolean
  special: boolean
}

/** The password rules in force. */
function passwordRules(ctx: Context, admin: boolean): PasswordRules {
  const rules = passwordSettings.of(ctx)
  return {
    minLength: admin ? rules.SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH : rules.SECURITY_PASSWORD_MIN_LENGTH,
    upper: rules.SECURITY_PASSWORD_UPPER_CASE,
    lower: rules.SECURITY_PASSWORD_LOWER_CASE,
    digit: rules.SECURITY_PASSWORD_NUMBER,
    special: rules.SECURITY_PASSWORD_SPECIAL_CHAR,
  }
}

const symbols = '`~!@#$%^&*()_+\\-=\\[\\]{}|;:\'",.<>/?\\\\'
const goodStart = new RegExp(`^[A-Za-z0-9${symbols}]`)
const anySymbol = new RegExp(`[${symbols}]`)

/** Whether a password satisfies the rules; it must begin with a letter, a digit or a common symbol. */
export function satisfies(password: string, rules: PasswordRules): boolean {
  return (
    password.length >= rules.minLength &&
    goodStart.test(password) &&
    (!rules.upper || /[A-Z]/.test(password)) &&
    (!rules.lower || /[a-z]/.test(password)) &&
    (!rules.digit || /\d/.test(password)) &&
    (!rules.special || anySymbol.test(password))
  )
}

/** The rules for one user: administrators may need longer passwords. */
export async function passwordRulesOf(ctx: Context, row: { id: string }): Promise<PasswordRules> {
  return passwordRules(ctx, isOrgAdmin(await holdingsOf(ctx, [row.id]), row.id, ctx.orgId))
}

/** The error of a password a user chose; undefined when it is acceptable. */
export async function passwordProblem(ctx: Context, row: { id: string }, password: string): Promise<Text | undefined> {
  if (!satisfies(password, await passwordRulesOf(ctx, row))) return text(signInErrors.password_rules)
  const count = passwordSettings.of(ctx).OLD_PASSWORD_HISTORY_LIMIT_COUNT
  const old = await ctx.rawDb
    .selectFrom('users_passwordhistory')
    .select('password_hash')
    .where('user_id', '=', row.id)
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  for (const { password_hash } of old)
    if (await ctx.services.passwords.verify(password, password_hash))
      return text(signInErrors.password_history, { count })
  return undefined
}

export interface PasswordChange {
  user: KnownUser
  /** Name of the user who changed it. */
  changedBy: string
  ip: string
}
/** Every password that is set, inside its transaction. */
export const passwordSet = defineHook<PasswordChange>('users.password.set')

export interface NewPassword {
  row: KnownUser
  /** Undefined: no password is valid until the user chooses one. */
  password: string | undefined
}

interface PasswordMarks {
  need_update_password?: boolean
  /** The author when no user is signed in; the user themselves by default. */
  changedBy?: string
}

/**
 * Sets passwords of local users: hash, history, timestamp, listeners. Their sessions end with their next request,
 * because each contains a mark of the password. Skips users of external sources.
 */
export async function setPasswords(ctx: Context, wanted: readonly NewPassword[], more: PasswordMarks = {}) {
  const own = wanted.filter(({ row }) => row.source === 'local')
  const key = `passwords ${JSON.stringify(own.map(({ row, password }) => [row.username, password]))}`
  const hashes = await ctx.runOutsideTransaction(key, () => allHashes(ctx, own))
  for (const [at, { row }] of own.entries()) await store(ctx, row, hashes[at] ?? '', more)
}

export const setPassword = (ctx: Context, row: KnownUser, password: string | undefined, more?: PasswordMarks) =>
  setPasswords(ctx, [{ row, password }], more)

/** Sequentially: concurrent hashing would occupy all threads that sign-ins need. */
async function allHashes({ services }: Context, wanted: readonly NewPassword[]): Promise<string[]> {
  const hashes: string[] = []
  for (const { password } of wanted) hashes.push(password === undefined ? '' : await services.passwords.hash(password))
  return hashes
}

async function store(ctx: Context, row: KnownUser, hash: string, { changedBy, ...more }: PasswordMarks): Promise<void> {
  await ctx.rawDb
    .updateTable('users_user')
    .set({ password_hash: hash, date_password_last_updated: ctx.now, ...more })
    .where('id', '=', row.id)
    .execute()
  if (hash !== '')
    await ctx.rawDb
      .insertInto('users_passwordhistory')
      .values({ user_id: row.id, password_hash: hash, date_created: ctx.now })
      .execute()
  const { name, username } = ctx.caller ?? row
  const by = changedBy ?? `${name}(${username})`
  await passwordSet.run(ctx, { user: row, changedBy: by, ip: ctx.ip })
}
