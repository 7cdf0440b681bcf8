import { randomBytes } from 'node:crypto'
import type { Context } from '../../../kernel/module/context.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { hashed } from '../../../kernel/security/random.ts'
import { component, removeComponent } from '../../terminal/index.ts'
import { bindComponent, hostById } from './host.ts'
import { hostTable } from './host-options.ts'

/** How long the token of a deployment is valid. Milliseconds. */
const validFor = 24 * 3_600_000
const prefix = 'applet-host-'

/**
 * A token with which the component of one host registers, once. The bootstrap token of the installation, with which
 * anything could register, never leaves it.
 */
export async function newRegistration(ctx: Context, hostId: string): Promise<string> {
  const token = `${prefix}${randomBytes(32).toString('hex')}`
  await ctx.rawDb
    .updateTable(hostTable.name)
    .set({ registration: hashed(token), date_registration: Date.now() + validFor })
    .where('id', '=', hostId)
    .execute()
  return token
}

/** The host of a valid token, which is used up by it. */
export async function takeRegistration(ctx: Context, token: string): Promise<string | undefined> {
  if (!token.startsWith(prefix)) return undefined
  const row = await ctx.rawDb
    .updateTable(hostTable.name)
    .set({ registration: null })
    .where('registration', '=', hashed(token))
    .where('date_registration', '>', ctx.now)
    .returning('id')
    .executeTakeFirst()
  return row && String(row.id)
}

/** Removes the component of a host with its account, so that a new one can take its place. */
export async function unbind(ctx: Context, hostId: string): Promise<void> {
  const host = await hostById(ctx, hostId)
  if (!host?.terminal_id) return
  await bindComponent(ctx, hostId, null)
  const row = await findById(ctx, component, host.terminal_id)
  if (row) await removeComponent(ctx, row)
}

export const registration = {
  take: takeRegistration,
  bind: async (ctx: Context, hostId: string, componentId: string) => {
    await bindComponent(ctx, hostId, componentId)
  },
}
