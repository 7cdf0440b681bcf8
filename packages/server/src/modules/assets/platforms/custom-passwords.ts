import { contains } from '../../../db/search.ts'
import type { Change } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { decodeJson } from '../../../kernel/fields/scalars.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { isSealedPart } from '../../../kernel/security/secrets.ts'
import type { CustomField } from './custom-fields.ts'

/** To which the passwords among the values of custom fields are bound. */
export const customInfoPlace = 'assets_asset.spec.custom_info'

const passwordsOf = (fields: unknown): string[] =>
  ((fields ?? []) as CustomField[]).filter(({ type }) => type === 'password').map(({ name }) => name)

/** Seals the values of fields that are declared as passwords from now on: until then they were stored in clear. */
export async function sealNewPasswords(ctx: Context, changes: readonly Change[]): Promise<void> {
  for (const { row, before } of changes) {
    const known = new Set(passwordsOf(before?.custom_fields))
    const added = before ? passwordsOf(row.custom_fields).filter((name) => !known.has(name)) : []
    for (const name of added) {
      const assets = await ctx.acrossOrganizations
        .selectFrom('assets_asset as a')
        .select(['a.id', 'a.spec'])
        .where('a.platform_id', '=', row.id)
        .where((eb) => contains(ctx.dialect, eb.ref('a.spec'), `${JSON.stringify(name)}:`))
        .execute()
      for (const { id, spec: stored } of assets) {
        const spec = objectOf(decodeJson(stored))
        const info = objectOf(spec.custom_info)
        const value = Object.hasOwn(info, name) ? info[name] : undefined
        if (value === undefined || value === null || value === '' || isSealedPart(value)) continue
        const plain = typeof value === 'string' ? value : JSON.stringify(value)
        const sealed = { sealed: ctx.services.vault.seal(plain, customInfoPlace).stored() }
        const custom_info = Object.fromEntries(
          Object.entries(info).map(([key, one]) => [key, key === name ? sealed : one]),
        )
        await ctx.acrossOrganizations
          .updateTable('assets_asset')
          .set({ spec: JSON.stringify({ ...spec, custom_info }) })
          .where('id', '=', id)
          .execute()
      }
    }
  }
}
