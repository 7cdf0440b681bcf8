import type { Catalogue } from '@castellan/contract/messages'
import type { TableShape } from '../db/schema.ts'
import type { Context, Services } from './context.ts'
import type { SocketRoute } from './http/sockets.ts'
import type { Resource } from './resource.ts'
import type { Route } from './route.ts'
import type { SettingDeclaration } from './settings.ts'

/** One app of `/api/v1/<app>/`, listed in `modules.ts`. */
export interface Module {
  app: string
  texts?: Catalogue
  resources?: readonly Resource[]
  routes?: readonly Route[]
  sockets?: readonly SocketRoute[]
  /** Tables without a resource. */
  tables?: readonly TableShape[]
  settings?: readonly SettingDeclaration[]
  /** Creates the rows every installation has; runs at each start inside one transaction, so it must be idempotent. */
  seed?(ctx: Context): Promise<void> | void
  /** Registers listeners; runs once in every process that loads the module. */
  start?(services: Services, role: 'api' | 'worker' | 'all'): Promise<void> | void
}

export const defineModule = (module: Module): Module => module
