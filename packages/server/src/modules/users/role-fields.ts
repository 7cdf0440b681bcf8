import { roleIds } from '@castellan/contract/ids'
import { errors } from '@castellan/contract/messages/errors'
import { base, type Change, type Field } from '../../kernel/fields/field.ts'
import { computed, normalUuid, relatedOfCell } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import { quoted, Rejected, text } from '../../kernel/module/errors.ts'
import { type Holding, heldIn, holdingsOf, replaceRoles, roleDisplay } from '../rbac/index.ts'
import { signInSecurity } from './settings.ts'

type HoldingsBy = ReadonlyMap<string, readonly Holding[]>

type Users = readonly { id: string }[]

const known = new WeakMap<Users, Promise<HoldingsBy>>()

/** The roles of the users of a page, by user, loaded once for all fields that need them. */
function holdingsOfPage(ctx: Context, rows: Users): Promise<HoldingsBy> {
  let holdings = known.get(rows)
  if (!holdings) {
    const ids = rows.map((row) => row.id)
    holdings = holdingsOf(ctx, ids).then((found) => Map.groupBy(found, ({ userId }) => userId))
    known.set(rows, holdings)
  }
  return holdings
}

export const isSuperuser = (holdings: readonly Holding[], userId: string) =>
  holdings.some((one) => one.userId === userId && one.roleId === roleIds.systemAdmin)

/** Whether a user administers the organization: as its administrator or as a system administrator. */
export const isOrgAdmin = (holdings: readonly Holding[], userId: string, orgId: string) =>
  isSuperuser(holdings, userId) ||
  holdings.some((one) => one.userId === userId && one.roleId === roleIds.orgAdmin && one.orgId === orgId)

function keyOf(input: unknown): string {
  const object = objectOf(input)
  const key = typeof input === 'object' && input !== null ? (object.id ?? object.pk ?? object.value) : input
  if (key === undefined || key === null) throw new Rejected([text(errors.does_not_exist, { pk: 'None' })])
  const id = normalUuid(key)
  if (!id) throw new Rejected([text(errors.not_a_uuid, { input: quoted(key) })])
  return id
}

const firstRole = { system: roleIds.user, org: roleIds.orgUser } as const

/** The roles of a user in the system or in the current organization. */
export function rolesField(scope: 'system' | 'org'): Field<string[], 'none'> {
  const attrs = scope === 'system' ? ['id', 'display_name'] : ['id', 'display_name', 'name']
  return {
    ...base('m2m_related_field', { order: false, resets: true, default: () => [firstRole[scope]] }),
    parse: (input) => {
      if (!Array.isArray(input)) throw new Rejected([text(errors.not_a_list, { type: typeof input })])
      return [...new Set(input.map(keyOf))]
    },
    resolve: async (ctx, lists, problem) => {
      const wanted = [...new Set(lists.flatMap((list) => list as string[]))]
      if (wanted.length === 0) return [...lists]
      const rows = await ctx.rawDb
        .selectFrom('rbac_role')
        .select('id')
        .where('scope', '=', scope)
        .where('id', 'in', wanted)
        .execute()
      const found = new Set(rows.map((row) => row.id))
      return lists.map((list, index) => {
        const missing = (list as string[]).find((id) => !found.has(id))
        if (missing !== undefined) problem(index, [text(errors.does_not_exist, { pk: missing })])
        return list
      })
    },
    load: async (ctx, rows: Users) => {
      const holdings = await holdingsOfPage(ctx, rows)
      const here = scope === 'system' ? (one: Holding) => one.scope === 'system' : heldIn(ctx.orgId)
      return (row: { id: string }) => {
        const mine = new Map((holdings.get(row.id) ?? []).filter(here).map((one) => [one.roleId, one]))
        return [...mine.values()].map(({ roleId, name }) => {
          const role: Record<string, string> = {
            id: roleId,
            display_name: roleDisplay({ id: roleId, name }, ctx.language),
            name,
          }
          return Object.fromEntries(attrs.map((attr) => [attr, role[attr]]))
        })
      }
    },
    store: async (ctx, changes, field) => {
      // Users who get the same roles share one call.
      const users = new Map<string, string[]>()
      for (const change of changes as readonly Change<{ id: string }>[]) {
        const wanted = change.values[field] ?? (change.mode === 'create' ? [firstRole[scope]] : undefined)
        if (!wanted) continue
        const roles = JSON.stringify(wanted)
        users.set(roles, [...(users.get(roles) ?? []), change.row.id])
      }
      for (const [roles, ids] of users)
        await replaceRoles(ctx, ids, scope === 'system' ? null : ctx.orgId, JSON.parse(roles))
    },
    meta: () => ({}),
    toCell: (wire) =>
      JSON.stringify(
        (wire as { id: string; display_name: string }[]).map(({ id, display_name }) => `${display_name}(${id})`),
      ),
    fromCell: relatedOfCell,
  }
}

export const superuserField = () =>
  computed('field', {
    answers: 'boolean',
    load: async (ctx, rows: Users) => {
      const holdings = await holdingsOfPage(ctx, rows)
      return (row: { id: string }) => isSuperuser(holdings.get(row.id) ?? [], row.id)
    },
  })

export const orgAdminField = () =>
  computed('field', {
    answers: 'boolean',
    load: async (ctx, rows: Users) => {
      const holdings = await holdingsOfPage(ctx, rows)
      return (row: { id: string }) => isOrgAdmin(holdings.get(row.id) ?? [], row.id, ctx.orgId)
    },
  })

type Secured = { id: string; mfa_level: string | number }

/** Whether the second factor is enforced for a user, whatever they chose. */
export function mfaForced(ctx: Context, row: Secured, holdings: readonly Holding[]): boolean {
  const demanded = signInSecurity.of(ctx).SECURITY_MFA_AUTH
  return demanded === 1 || Number(row.mfa_level) === 2 || (demanded === 2 && isOrgAdmin(holdings, row.id, ctx.orgId))
}

export const mfaField = (what: 'enabled' | 'forced') =>
  computed('boolean', {
    load: async (ctx, rows: Users) => {
      const holdings = await holdingsOfPage(ctx, rows)
      return (row: Secured) =>
        mfaForced(ctx, row, holdings.get(row.id) ?? []) || (what === 'enabled' && Number(row.mfa_level) > 0)
    },
  })
