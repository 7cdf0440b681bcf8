import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineHook } from '../../kernel/module/hooks.ts'
import type { Setting } from '../../kernel/settings/setting-groups.ts'

/** A change of settings for logs: secrets are masked. */
export interface AlteredSettings {
  before: StoredRow
  after: StoredRow
}

/** Every change of settings, inside the transaction that makes it. */
export const settingsAltered = defineHook<AlteredSettings>('settings.altered')

const mask = '******'

/** Tells the listeners of a change, before it is stored. */
export async function recordAlteredSettings(
  ctx: Context,
  changed: readonly Setting[],
  values: Readonly<StoredRow>,
): Promise<void> {
  const shown = (of: (setting: Setting) => unknown) =>
    Object.fromEntries(changed.map((setting) => [setting.name, setting.secret ? mask : of(setting)]))
  await settingsAltered.run(ctx, {
    before: shown((setting) => setting.of(ctx)),
    after: shown(({ name }) => values[name]),
  })
}
