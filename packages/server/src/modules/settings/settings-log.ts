import { settingOf } from '@castellan/contract/settings'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'

/** A change of settings as a log may show it: secrets are masked. */
export interface AlteredSettings {
  before: AnyRow
  after: AnyRow
}
type Listener = (ctx: Context, altered: AlteredSettings) => Promise<void>
const listeners: Listener[] = []
const mask = '******'

/** Hears every change of settings, inside the transaction that makes it. */
export function onSettingsAltered(listener: Listener): void {
  listeners.push(listener)
}

export async function settingsAltered(ctx: Context, values: Readonly<AnyRow>): Promise<void> {
  const names = Object.keys(values)
  const shown = (of: (name: string) => unknown) =>
    Object.fromEntries(names.map((name) => [name, settingOf(name)?.secret ? mask : of(name)]))
  const altered = { before: shown((name) => ctx.services.settings.get(name)), after: shown((name) => values[name]) }
  for (const listener of listeners) await listener(ctx, altered)
}
