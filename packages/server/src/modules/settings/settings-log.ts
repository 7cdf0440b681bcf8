import { settingOf } from '@castellan/contract/settings'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { defineHook } from '../../kernel/hooks.ts'

/** A change of settings for logs: secrets are masked. */
export interface AlteredSettings {
  before: AnyRow
  after: AnyRow
}

/** Every change of settings, inside the transaction that makes it. */
export const settingsAltered = defineHook<AlteredSettings>('settings.altered')

const mask = '******'

export async function recordAlteredSettings(ctx: Context, values: Readonly<AnyRow>): Promise<void> {
  const names = Object.keys(values)
  const shown = (of: (name: string) => unknown) =>
    Object.fromEntries(names.map((name) => [name, settingOf(name)?.secret ? mask : of(name)]))
  await settingsAltered.run(ctx, {
    before: shown((name) => ctx.services.settings.get(name)),
    after: shown((name) => values[name]),
  })
}
