import { settingOf } from '@castellan/contract/settings'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'

/** A change of settings for logs: secrets are masked. */
export interface AlteredSettings {
  before: AnyRow
  after: AnyRow
}
type Listener = (ctx: Context, altered: AlteredSettings) => Promise<void>
const listeners: Listener[] = []
const mask = '******'

/** Registers a listener for every change of settings; it runs inside the transaction. */
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
