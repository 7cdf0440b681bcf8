import type { Context } from '../../kernel/module/context.ts'
import { definePort } from '../../kernel/module/hooks.ts'
import type { ListQuery } from '../../kernel/resource/resource.ts'

type Narrow = (query: ListQuery) => ListQuery

/** Functions that assets need from the perms module, which depends on this one and registers them when it is loaded. */
export interface GrantPort {
  /** Narrows a list of assets (`t`) to those granted to the caller, in the current organization or in all of them. */
  assets(ctx: Context): Promise<Narrow>
  /** Narrows a list of nodes (`t`) to those in the caller's tree. */
  nodes(ctx: Context): Promise<Narrow>
  /** Number of permissions in all organizations that name a protocol. */
  naming(ctx: Context, protocol: string): Promise<number>
}

export const grantPort = definePort<GrantPort>('assets.grants')
