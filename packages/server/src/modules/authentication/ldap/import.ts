/** Users of the directory become users of the installation, and follow it. */
import { setTimeout } from 'node:timers/promises'
import { roleIds } from '@castellan/contract/ids'
import { ldapMessages } from '@castellan/contract/messages/ldap'
import type { Context } from '../../../kernel/module/context.ts'
import { ApiError, render, type Text, text } from '../../../kernel/module/errors.ts'
import { constraintError, createMany, updateOne } from '../../../kernel/resource/mutations.ts'
import { getById } from '../../../kernel/resource/repository.ts'
import { mailServer } from '../../notifications/index.ts'
import { holdingsOf, replaceRoles } from '../../rbac/index.ts'
import {
  activeUsersOf,
  addressFor,
  createFromSource,
  followGroups,
  type KnownUser,
  nameKeys,
  user,
  usersBy,
  usersNamed,
} from '../../users/index.ts'
import type { DirectoryUser } from './people.ts'

/** Users per transaction, so that other writers wait no longer than that. */
const atOnce = 250
/** Between two transactions, for the requests of others. Milliseconds. */
const pause = 5
/** Names of groups of the directory begin with it, as in v3. */
export const groupPrefix = 'AD '
export const source = 'ldap'

export interface Imported {
  readonly created: number
  readonly unchanged: number
  readonly updated: number
  /** Users that were not reached, because the import was stopped. */
  readonly left: number
  /** Why users were not imported, by name. */
  readonly problems: ReadonlyMap<string, Text>
}

function reasonOf(error: Error, language: Context['language']): string {
  const refusal = error instanceof ApiError ? error : constraintError(error)
  const body = refusal?.body(language)
  return typeof body === 'object' && body !== null ? Object.values(body).flat().map(String).join(' ') : error.message
}

const isRefusal = (error: unknown): error is Error => error instanceof ApiError || constraintError(error) !== undefined

/** Creates users as members of the context's organization; one by one where a batch contains unsuitable values. */
async function createAll(ctx: Context, fresh: readonly DirectoryUser[], problems: Map<string, Text>): Promise<void> {
  const suffix = mailServer.of(ctx).EMAIL_SUFFIX
  const taken = new Set(
    (
      await usersBy(
        ctx,
        'email',
        fresh.map(({ email }) => email),
      )
    ).map(({ email }) => email),
  )
  const bodies = fresh.map(({ username, name, email, isActive }) => {
    const isFree = email !== '' && !taken.has(email)
    taken.add(email)
    const own = addressFor(username, suffix)
    return { source, username, name, email: isFree ? email : own, is_active: isActive, org_roles: [roleIds.orgUser] }
  })
  try {
    await ctx.transaction((inside) => createMany(inside, user, bodies))
  } catch (error) {
    if (!isRefusal(error)) throw error
    for (const { username, name, email } of fresh) {
      const refusal = await createFromSource(ctx, { source, username, name, email }, true)
      if (refusal)
        problems.set(username, text(ldapMessages.not_importable, { reason: reasonOf(refusal, ctx.language) }))
    }
  }
}

/** Applies what changed in the directory. An unsuitable name or address leaves the old one. */
async function follow(ctx: Context, { id, name, email, is_active }: KnownUser, found: DirectoryUser): Promise<boolean> {
  const changes = {
    ...(found.name !== name && { name: found.name }),
    ...(found.email !== '' && found.email !== email && { email: found.email }),
    // A user who is back in the directory stays deactivated until an administrator decides otherwise.
    ...(!found.isActive && Boolean(is_active) && { is_active: false }),
  }
  let isChanged = false
  for (const [field, value] of Object.entries(changes))
    try {
      await ctx.transaction(async (inside) => {
        await updateOne(inside, user, await getById(inside, user, id), { [field]: value }, true)
      })
      isChanged = true
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  return isChanged
}

/** Makes users ordinary members of an organization, and members of the groups that the directory has them in. */
async function join(ctx: Context, ids: ReadonlyMap<string, DirectoryUser>): Promise<void> {
  await ctx.transaction(async (inside) => {
    const held = await holdingsOf(inside, [...ids.keys()])
    const members = new Set(held.filter(({ orgId }) => orgId === ctx.orgId).map(({ userId }) => userId))
    const joining = [...ids.keys()].filter((id) => !members.has(id))
    if (joining.length > 0) await replaceRoles(inside, joining, ctx.orgId, [roleIds.orgUser])
    await followGroups(inside, groupPrefix, new Map([...ids].map(([id, { groups }]) => [id, groups])))
  })
}

/** Told after every batch how many users were dealt with; false stops the import before the next one. */
export type ImportProgress = (done: number) => Promise<boolean>

/**
 * Creates and updates users, and makes them members of the organizations. A user of another source keeps everything:
 * an entry of the same name proves nothing. The first organization is that in which users are created.
 */
export async function importUsers(
  ctx: Context,
  found: readonly DirectoryUser[],
  orgIds: readonly [string, ...string[]],
  onProgress: ImportProgress,
): Promise<Imported> {
  const problems = new Map<string, Text>()
  const count = { created: 0, updated: 0, unchanged: 0 }
  for (let start = 0; start < found.length; start += atOnce) {
    const some = found.slice(start, start + atOnce)
    const names = some.map(({ username }) => username)
    const before = await usersNamed(ctx, names)
    for (const { username } of some)
      if ((before.get(username)?.source ?? source) !== source) problems.set(username, text(ldapMessages.other_source))
    const fresh = some.filter(({ username }) => !before.has(username))
    if (fresh.length > 0) await createAll(ctx.inOrg(orgIds[0]), fresh, problems)
    for (const one of some) {
      const known = before.get(one.username)
      if (known?.source === source) count[(await follow(ctx, known, one)) ? 'updated' : 'unchanged'] += 1
    }
    const byName = new Map(some.map((one) => [one.username, one]))
    const now = [...(await usersNamed(ctx, names))].filter(([, row]) => row.source === source)
    count.created += now.filter(([username]) => !before.has(username)).length
    const ids = new Map(now.map(([username, { id }]) => [id, byName.get(username) as DirectoryUser] as const))
    for (const orgId of orgIds) await join(ctx.inOrg(orgId), ids)
    const done = start + some.length
    // SQLite answers without leaving this thread: without a pause, other requests would wait for the whole import.
    await setTimeout(pause)
    if (!(await onProgress(done)) && done < found.length) return { ...count, problems, left: found.length - done }
  }
  return { ...count, problems, left: 0 }
}

/** Deactivates users of the directory who are not in it any more. Returns their names. */
export async function deactivateMissing(ctx: Context, found: readonly DirectoryUser[]): Promise<string[]> {
  // A directory without users is a wrong search, not a company without people.
  if (found.length === 0) return []
  const present = new Set(found.flatMap(({ username }) => nameKeys(username)))
  const rows = await activeUsersOf(ctx, source)
  const gone = rows.filter(({ username }) => nameKeys(username).every((key) => !present.has(key)))
  for (const { id } of gone)
    await ctx.transaction(async (inside) => {
      await updateOne(inside, user, await getById(inside, user, id), { is_active: false }, true)
    })
  return gone.map(({ username }) => username)
}

export const problemsBody = (ctx: Context, { problems }: Imported) =>
  [...problems].map(([username, problem]) => ({ [username]: render(problem, ctx.language) }))
