import { errors } from '@castellan/contract/messages/errors'
import { rbacMessages } from '@castellan/contract/messages/rbac'
import { batches } from '../../db/batches.ts'
import { keyOf, normalUuid, type StoredRow } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Params } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, badRequest, failureAs, render, text } from '../../kernel/module/errors.ts'
import { createMany, createOne } from '../../kernel/resource/mutations.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { demandRightToGive } from './authority.ts'
import type { BindingChange, BindingHooks, BindingRow } from './binding-fields.ts'
import { rolesChanged } from './effective.ts'

async function scopesOf(ctx: Context, changes: readonly BindingChange[]): Promise<Map<string, BindingRow['scope']>> {
  const ids = [...new Set(changes.flatMap(({ row }) => (row.role_id ? [row.role_id] : [])))]
  if (ids.length === 0) return new Map()
  const rows = await ctx.rawDb.selectFrom('rbac_role').select(['id', 'scope']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row.scope]))
}

const placeOf = ({ user_id, org_id }: Pick<BindingRow, 'user_id' | 'org_id'>) => `${user_id} ${org_id}`

/** Pairs of user and organization that still have a role after some bindings are deleted. */
async function keptAfter(ctx: Context, going: readonly BindingRow[]): Promise<ReadonlySet<string>> {
  const gone = new Set(going.map(({ id }) => id))
  const kept = new Set<string>()
  for (const some of batches([...new Set(going.map(({ user_id }) => user_id))]))
    for (const row of await ctx.acrossOrganizations
      .selectFrom('rbac_rolebinding')
      .select(['id', 'user_id', 'org_id'])
      .where('user_id', 'in', some)
      .execute())
      if (!gone.has(row.id)) kept.add(placeOf(row))
  return kept
}

const givenBy = ({ role_id, org_id }: Pick<BindingRow, 'role_id' | 'org_id'>) => ({ roleId: role_id, orgId: org_id })

const holding = ({ user_id, role_id }: { user_id?: unknown; role_id?: unknown }) => `${user_id} ${role_id}`

/** The bindings of users, by user and role; `read` loads them for a batch of users. */
async function heldBy(
  userIds: readonly unknown[],
  read: (some: readonly unknown[]) => Promise<StoredRow[]>,
): Promise<Map<string, StoredRow>> {
  const held = new Map<string, StoredRow>()
  const users = [...new Set(userIds)]
  for (const some of batches(users)) for (const row of await read(some)) held.set(holding(row), row)
  return held
}

/** A system role that the user already holds is rejected with one sentence. */
async function refuseHeld(ctx: Context, changes: readonly BindingChange[]): Promise<void> {
  const complete = changes.flatMap(({ row }) => (row.user_id && row.role_id ? [row] : []))
  const held = await heldBy(
    complete.map(({ user_id }) => user_id),
    (some) =>
      ctx.acrossOrganizations
        .selectFrom('rbac_rolebinding')
        .select(['id', 'user_id', 'role_id'])
        .where('org_id', 'is', null)
        .where('user_id', 'in', some)
        .execute(),
  )
  const taken = complete.some((row) => {
    const one = held.get(holding(row))
    return one && one.id !== row.id
  })
  if (taken) throw new ApiError(400, 'held already', (language) => [render(text(errors.unique), language)])
}

/** Grants many organization roles at once; existing bindings are left unchanged. */
export async function giveOnce(
  ctx: Context,
  inputs: readonly unknown[],
  { bulk, query }: { bulk: boolean; query: Params },
): Promise<StoredRow[]> {
  const links = findResource('rbac/org-role-bindings')
  if (!bulk) return [await createOne(ctx, links, inputs[0], query)]
  const wanted = inputs.map(objectOf).map((input) => ({
    input,
    user: normalUuid(keyOf(input.user)),
    role: normalUuid(keyOf(input.role)),
  }))
  const held = await heldBy(
    wanted.flatMap(({ user }) => user ?? []),
    (some) => scoped(ctx, links).where('t.user_id', 'in', some).execute(),
  )
  const heldAs = ({ user, role }: (typeof wanted)[number]) => held.get(holding({ user_id: user, role_id: role }))
  const fresh = await createMany(
    ctx,
    links,
    wanted.filter((one) => !heldAs(one)).map(({ input }) => input),
    query,
  )
  return wanted.map((one) => heldAs(one) ?? (fresh.shift() as StoredRow))
}

/** Hooks of role bindings; `path` is the collection they are created in. */
export function bindingHooks(path: 'any' | 'system' | 'org'): BindingHooks {
  return {
    async validate(ctx, changes, problem) {
      const scopes = await scopesOf(ctx, changes)
      for (const { index, mode, row, values, input } of changes) {
        if (!row.user_id && input.user === undefined) problem(index, 'user', text(errors.required))
        // The generic collection requires the organization by itself.
        const unasked = path === 'any' && mode === 'create' && input.org === undefined
        const scope = scopes.get(row.role_id)
        if (!scope) continue
        if (path === 'system') row.org_id = null
        if (path === 'org') row.org_id = ctx.isRootOrg ? null : ctx.orgId
        row.scope = scope
        if (path !== 'any' && scope !== path)
          problem(index, 'role', text(errors.not_a_choice, { input: String(values.role ?? row.role_id) }))
        else if (scope === 'org' && !row.org_id && !unasked) problem(index, 'org', text(errors.no_organization))
        else if (scope === 'system') row.org_id = null
      }
      const touched = changes.flatMap(({ row, before }) => (before ? [row, before] : [row]))
      await demandRightToGive(ctx, touched.filter(({ role_id }) => role_id).map(givenBy))
      if (path === 'system') await refuseHeld(ctx, changes)
    },
    async beforeDelete(ctx, rows) {
      await demandRightToGive(ctx, rows.map(givenBy))
      const kept = await keptAfter(ctx, rows)
      for (const row of rows) {
        if (kept.has(placeOf(row))) continue
        if (row.org_id === null) throw badRequest(text(rbacMessages.last_system_role), 'system_role_delete_error')
        throw failureAs(400, 'error', text(rbacMessages.last_org_role))
      }
    },
    afterSave: (ctx) => ctx.publish(rolesChanged, {}),
    afterDelete: (ctx) => ctx.publish(rolesChanged, {}),
  }
}
