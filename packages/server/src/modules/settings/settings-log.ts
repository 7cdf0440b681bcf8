import { settingsMessages } from '@castellan/contract/messages/settings'
import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Context } from '../../kernel/module/context.ts'
import { permissionDenied, text } from '../../kernel/module/errors.ts'
import { defineHook } from '../../kernel/module/hooks.ts'
import type { Setting } from '../../kernel/settings/setting-groups.ts'

/** A change of settings for logs: secrets are masked. */
export interface AlteredSettings {
  before: StoredRow
  after: StoredRow
}

/** Every change of settings, inside the transaction that makes it. */
export const settingsAltered = defineHook<AlteredSettings>('settings.altered')

/** Changes of settings that decide where links, codes or secrets go. Listeners ask for a confirmation. */
export const guardedSettingsChanging = defineHook<{ readonly names: readonly string[] }>('settings.guarded.changing')

const mask = '******'

async function demandGuards(ctx: Context, changed: readonly Setting[]): Promise<void> {
  const guarded = changed.filter(({ guard }) => guard)
  if (guarded.length === 0) return
  const denied = guarded.filter(({ guard }) => guard && !ctx.can(guard))
  if (denied.length > 0)
    throw permissionDenied(text(settingsMessages.guarded, { names: denied.map(({ name }) => name).join(', ') }))
  await guardedSettingsChanging.run(ctx, { names: guarded.map(({ name }) => name) })
}

/**
 * Decides whether the caller may change these settings, and tells the listeners of the change; every way of changing
 * settings passes here before it stores anything.
 * @throws ApiError 403 without the permission that guards one of them, 412 without a confirmation
 */
export async function admitAlteredSettings(
  ctx: Context,
  changed: readonly Setting[],
  values: Readonly<StoredRow>,
): Promise<void> {
  await demandGuards(ctx, changed)
  const shown = (of: (setting: Setting) => unknown) =>
    Object.fromEntries(changed.map((setting) => [setting.name, setting.secret ? mask : of(setting)]))
  await settingsAltered.run(ctx, {
    before: shown((setting) => setting.of(ctx)),
    after: shown(({ name }) => values[name]),
  })
}
