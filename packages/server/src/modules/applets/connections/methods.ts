import type { Context } from '../../../kernel/module/context.ts'
import type { AppletMethod } from '../../terminal/index.ts'
import { activeApplets, iconAddress } from '../applet.ts'
import { hostTable } from '../hosts/host-options.ts'

/** The active applications as connect methods. */
export async function methodsOfApplets(ctx: Context): Promise<AppletMethod[]> {
  const host = await ctx.rawDb.selectFrom(hostTable.name).select('id').executeTakeFirst()
  return (await activeApplets(ctx)).map((row) => ({
    value: row.name,
    label: row.display_name,
    type: 'applet',
    icon: iconAddress(row),
    disabled: !host,
    listen: 'rdp',
    component: 'tinker',
    protocols: row.protocols,
  }))
}
