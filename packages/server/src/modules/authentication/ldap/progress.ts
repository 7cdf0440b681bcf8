/** How far an import is that a user started, and its end on request. Any process of the installation can be asked. */
import type { Context } from '../../../kernel/module/context.ts'
import type { ImportProgress } from './import.ts'

export interface ImportState {
  readonly done: number
  readonly total: number
}

/** Seconds: longer than one batch takes, so that an import whose process died does not seem to run. */
const silence = 60

const keyOf = (ctx: Context) => `ldap:import:${ctx.me.id}`
const stopKeyOf = (ctx: Context) => `ldap:import-stop:${ctx.me.id}`

export const importOf = (ctx: Context) => ctx.kv.get<ImportState>(keyOf(ctx))

/** Ends the caller's import after the batch that is being imported. */
export const stopImport = (ctx: Context): Promise<void> => ctx.kv.set(stopKeyOf(ctx), true, silence)

/** Runs an import of the caller, and tells `importOf` of it until it ends. */
export async function withProgress<T>(
  ctx: Context,
  total: number,
  run: (onProgress: ImportProgress) => Promise<T>,
): Promise<T> {
  const note = (done: number) => ctx.kv.set(keyOf(ctx), { done, total } satisfies ImportState, silence)
  await ctx.kv.delete(stopKeyOf(ctx))
  await note(0)
  try {
    return await run(async (done) => {
      await note(done)
      return (await ctx.kv.take(stopKeyOf(ctx))) === undefined
    })
  } finally {
    await ctx.kv.delete(keyOf(ctx))
  }
}
