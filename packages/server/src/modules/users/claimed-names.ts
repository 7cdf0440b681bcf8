/** The sign-in names that belong to somebody: names and addresses of users, in one list, each of one user. */
import { usersMessages } from '@castellan/contract/messages/users'
import { batches } from '../../db/batches.ts'
import type { TableShape } from '../../db/schema.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, type Text, text } from '../../kernel/module/errors.ts'
import { nameKeys } from './sign-in-names.ts'

export const claimedNameTable: TableShape = {
  name: 'users_signinname',
  columns: {
    /** What all spellings of the name have in common, see `sign-in-names.ts`. */
    key: { type: 'text' },
    user_id: { type: 'uuid', references: 'users_user.id', onDelete: 'cascade' },
    /** `username` or `email`: an address may be typed, but proves no name. */
    kind: { type: 'text' },
  },
  primaryKey: ['key'],
  unique: [],
  indexes: [['user_id']],
}

const kinds = ['username', 'email'] as const
type Kind = (typeof kinds)[number]

interface Claim {
  key: string
  user_id: string
  kind: Kind
}

interface Named {
  readonly id: string
  readonly username: string
  readonly email: string
}

/** A user whose name or address is new; `before`: as they were. */
export interface NameChange {
  readonly before?: Partial<Named> | undefined
  readonly row: Named
  readonly index: number
}

async function claimsOf(ctx: Context, keys: readonly string[]): Promise<Map<string, Claim>> {
  const found = new Map<string, Claim>()
  for (const some of batches([...new Set(keys)]))
    for (const row of await ctx.rawDb.selectFrom('users_signinname').selectAll().where('key', 'in', some).execute())
      found.set(row.key, row as Claim)
  return found
}

const changed = ({ before, row }: NameChange): Kind[] =>
  kinds.filter((kind) => typeof row[kind] === 'string' && before?.[kind] !== row[kind])

const claimsIn = (change: NameChange): Claim[] =>
  changed(change).flatMap((kind) => nameKeys(change.row[kind]).map((key) => ({ key, user_id: change.row.id, kind })))

const taken = (): Text => text(usersMessages.name_taken)

/**
 * Reports names that are somebody else's: in another spelling, in letters that look alike, as the address of somebody, or
 * addresses that are somebody's name. Equal values are reported as such by the resource.
 */
export async function checkNames(
  ctx: Context,
  changes: readonly NameChange[],
  problem: (index: number, field: Kind, said: Text) => void,
): Promise<void> {
  const wanted = changes.flatMap((change) =>
    changed(change).map((kind) => ({ ...change, kind, value: change.row[kind], keys: nameKeys(change.row[kind]) })),
  )
  const known = await claimsOf(
    ctx,
    wanted.flatMap(({ keys }) => keys),
  )
  const owners = await namesOf(
    ctx,
    [...known.values()].map(({ user_id }) => user_id),
  )
  const inThisCall = new Map<string, (typeof wanted)[number]>()
  for (const one of wanted)
    for (const key of one.keys) {
      const claim = known.get(key)
      const before = inThisCall.get(key)
      inThisCall.set(key, before ?? one)
      const isForeign = claim !== undefined && claim.user_id !== one.row.id
      const isTwice = before !== undefined && before.index !== one.index
      const equal = isForeign ? owners.get(claim.user_id)?.[one.kind] : before?.row[one.kind]
      if (!(isForeign || isTwice) || equal === one.value) continue
      problem(one.index, one.kind, taken())
      break
    }
}

async function namesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Named>> {
  const found = new Map<string, Named>()
  for (const some of batches([...new Set(ids)]))
    for (const row of await ctx.rawDb
      .selectFrom('users_user')
      .select(['id', 'username', 'email'])
      .where('id', 'in', some)
      .execute())
      found.set(row.id, row as Named)
  return found
}

/**
 * Makes the names of new and renamed users theirs; throws 400 where a concurrent request was faster. Names of an earlier
 * version that are the same stay with the users who have them: those that were there first can be signed in as in every
 * spelling, the others in their own.
 */
export async function claimNames(ctx: Context, changes: readonly NameChange[], demands = true): Promise<void> {
  const wanted = changes.flatMap(claimsIn)
  for (const change of changes)
    for (const kind of change.before ? changed(change) : [])
      await ctx.rawDb
        .deleteFrom('users_signinname')
        .where('user_id', '=', change.row.id)
        .where('kind', '=', kind)
        .execute()
  // An address that is also the name of the same user is listed as the name.
  const each = [...new Map(wanted.toReversed().map((claim) => [claim.key, claim])).values()]
  for (const some of batches(each, 100))
    await ctx.rawDb
      .insertInto('users_signinname')
      .values(some.map((claim) => ({ ...claim })))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  if (!demands || wanted.length === 0) return
  const owned = await claimsOf(
    ctx,
    wanted.map(({ key }) => key),
  )
  const lost = wanted.find(({ key, user_id }) => owned.get(key)?.user_id !== user_id)
  if (lost) throw invalid({ [lost.kind]: [taken()] })
}

/** Users of a name in any spelling. @param as only what is the name of somebody, or also an address */
export async function claimant(ctx: Context, typed: string, as: Kind | 'any'): Promise<string | undefined> {
  const keys = nameKeys(typed)
  const found = await claimsOf(ctx, keys)
  for (const key of keys) {
    const claim = found.get(key)
    if (claim && (as === 'any' || claim.kind === as)) return claim.user_id
  }
  return undefined
}

/** The ids of the users with these names in any spelling, by name. */
export async function claimants(ctx: Context, names: readonly string[]): Promise<Map<string, string>> {
  const found = await claimsOf(ctx, names.flatMap(nameKeys))
  const ids = new Map<string, string>()
  for (const name of names)
    for (const key of nameKeys(name)) {
      const claim = found.get(key)
      if (claim?.kind === 'username' && !ids.has(name)) ids.set(name, claim.user_id)
    }
  return ids
}

/** Lists the names of users that are not listed yet: those of an earlier version. The oldest first. */
export async function claimMissingNames(ctx: Context): Promise<void> {
  const rows = await ctx.rawDb
    .selectFrom('users_user as u')
    .leftJoin('users_signinname as n', 'n.user_id', 'u.id')
    .select(['u.id', 'u.username', 'u.email'])
    .where('n.user_id', 'is', null)
    .orderBy('u.date_joined')
    .execute()
  const all = rows.map((row, index) => ({ row: row as Named, index }))
  // Every name comes before any address: who is called like another one's address was called so first.
  for (const some of batches(all, 500))
    await claimNames(
      ctx,
      some.map((one) => ({ ...one, before: { email: one.row.email } })),
      false,
    )
  for (const some of batches(all, 500))
    await claimNames(
      ctx,
      some.map((one) => ({ ...one, before: { username: one.row.username } })),
      false,
    )
}
