import { systemOrgId } from '@castellan/contract/ids'
import { type Field, normalUuid } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { lockRow } from '../../../kernel/resource/repository.ts'
import { defineResource, type Fields, type Resource } from '../../../kernel/resource/resource.ts'
import { appletHostPlatformId, hostDeclaration } from '../../assets/index.ts'
import { componentOf } from '../../terminal/index.ts'
import { forgetHosts } from '../connections/usage.ts'
import { addPublications } from '../publications.ts'
import { generateAccounts } from './generate-accounts.ts'
import { type HostRow, hostRows, hostTable, optionFields, storeOptions } from './host-options.ts'

/** The node that all of them are in. */
const nodePath = 'RemoteAppHosts'

const platformField = hostDeclaration.fields.platform as Field
/** The platform is always the same, so nobody needs to send it. */
const hostFields: Fields = {
  ...hostDeclaration.fields,
  platform: {
    ...platformField,
    required: false,
    // Clients of the contract read that it is demanded.
    meta: (ctx, params) => ({ ...platformField.meta?.(ctx, params), required: true }),
  },
  ...optionFields,
}

/** A Windows host on which applications run: an asset of the system organization, with options of its own. */
export const appletHost: Resource = defineResource({
  ...hostDeclaration,
  suggestions: undefined,
  app: 'terminal',
  name: 'applethost',
  path: 'applet-hosts',
  organization: systemOrgId,
  fields: hostFields,
  search: ['name', 'address'],
  orderable: ['name', 'address', 'comment', 'created_by', 'is_active', 'date_verified', 'date_created'],
  // Filtered like any host, of which clients of the contract are not told.
  described: Object.fromEntries(
    [...['id', 'name', 'address', 'domain', 'platform', 'labels', 'protocols', 'category', 'type', 'is_active']].map(
      (name) => [name, { filter: undefined }],
    ),
  ),
  visible: (ctx, query) => query.where('t.id', 'in', ctx.rawDb.selectFrom(hostTable.name).select('id')),
  hooks: {
    ...hostDeclaration.hooks,
    prepare: async (ctx, input, change) => {
      const body = (await hostDeclaration.hooks?.prepare?.(ctx, input, change)) ?? input
      // The path takes precedence over nodes.
      return { ...body, platform: await appletHostPlatformId(ctx), nodes_display: [nodePath] }
    },
    async afterSave(ctx, changes) {
      await storeOptions(ctx, changes)
      await hostDeclaration.hooks?.afterSave?.(ctx, changes)
      const fresh = changes.flatMap(({ mode, row }) => (mode === 'create' ? [row.id] : []))
      if (fresh.length > 0) {
        await addPublications(ctx, undefined, fresh)
        await forgetHosts(ctx)
      }
      const hosts = await hostRows(
        ctx,
        changes.map(({ row }) => row.id),
      )
      for (const host of hosts.values())
        if (host.auto_create_accounts)
          await ctx.enqueue(generateAccounts, { host: host.id }, { uniqueKey: `applet accounts ${host.id}` })
    },
  },
})

/** The host that the calling component is bound to; undefined for everybody else. */
export async function hostOfCaller(ctx: Context): Promise<HostRow | undefined> {
  const component = await componentOf(ctx)
  if (!component) return undefined
  const row = await ctx.rawDb
    .selectFrom(hostTable.name)
    .select('id')
    .where('terminal_id', '=', component.id)
    .executeTakeFirst()
  return row && (await hostRows(ctx, [row.id])).get(row.id)
}

/** A host by the id in a path, locked until the transaction ends. */
export async function hostById(ctx: Context, id: unknown): Promise<HostRow | undefined> {
  const known = normalUuid(id)
  if (!known) return undefined
  await lockRow(ctx, hostTable.name, known)
  return (await hostRows(ctx, [known])).get(known)
}

/** Makes a component that of a host. */
export const bindComponent = (ctx: Context, hostId: string, componentId: string | null) =>
  ctx.rawDb
    .updateTable(hostTable.name)
    .set({ terminal_id: componentId, date_synced: componentId ? ctx.now : null })
    .where('id', '=', hostId)
    .execute()
