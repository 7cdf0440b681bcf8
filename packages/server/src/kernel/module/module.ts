import type { Catalogue } from '@castellan/contract/messages'
import type { TableShape } from '../../db/schema.ts'
import type { Route } from '../http/route.ts'
import type { SocketRoute } from '../http/sockets.ts'
import { type JobKind, registerJobs } from '../jobs/kinds.ts'
import { checkDeclarations } from '../resource/declaration-checks.ts'
import type { Resource } from '../resource/resource.ts'
import { type IdentityParts, identityCatalogue } from '../security/sign-in.ts'
import { type SettingGroup, settingCatalogue } from '../settings/setting-groups.ts'
import type { Context, Services } from './context.ts'
import type { Hook, HookListener, Port, PortImplementation } from './hooks.ts'

/** One app of `/api/v1/<app>/`: what `modules.ts` lists, and everything that follows from it. */
export interface Module {
  app: string
  /** Whether this installation has the module: without it, its URLs do not exist. */
  isAvailable?(services: Services): boolean
  texts?: Catalogue
  resources?: readonly Resource[]
  routes?: readonly Route[]
  sockets?: readonly SocketRoute[]
  /** Tables without a resource. */
  tables?: readonly TableShape[]
  /** Groups of settings that this module reads (`defineSettings`). */
  settings?: readonly SettingGroup[]
  /** Kinds of jobs; a kind that no module declares is carried out by no worker. */
  jobs?: readonly JobKind<never>[]
  /** Points of this module at which others take part. */
  hooks?: readonly Hook<never>[]
  /** Ways to sign in, and second factors, in the order in which they are tried and offered. */
  identity?: IdentityParts
  /** What this module does at the hooks of others. */
  listens?: readonly HookListener[]
  /** Functions this module needs from a module that imports it. */
  ports?: readonly Port<unknown>[]
  /** Implementations of the ports of others. */
  provides?: readonly PortImplementation[]
  /** Seeds what every installation has; runs at each start inside one transaction, so it must be repeatable. */
  seed?(ctx: Context): Promise<void> | void
  /** Starts background work of the program; runs once in every program that loads the module. */
  start?(services: Services, role: 'api' | 'worker' | 'all'): Promise<void> | void
}

export const defineModule = (module: Module): Module => module

/** Connects listeners to hooks. Throws when a listener names a hook that no module declares. */
export function connectHooks(modules: readonly Module[]): void {
  const hooks = new Set(modules.flatMap((module) => module.hooks ?? []))
  const listens = modules.flatMap((module) => module.listens ?? [])
  for (const { hook } of listens) if (!hooks.has(hook)) throw new Error(`No module declares the hook ${hook.name}.`)
  for (const hook of hooks) hook.connect(listens.filter((one) => one.hook === hook).map(({ listener }) => listener))
}

/** Connects implementations to ports. Throws unless each port has exactly one, and each implementation a port. */
export function connectPorts(modules: readonly Module[]): void {
  const provided = modules.flatMap((module) => module.provides ?? [])
  const ports = new Set(modules.flatMap((module) => module.ports ?? []))
  for (const { port } of provided) if (!ports.has(port)) throw new Error(`No module declares the port ${port.name}.`)
  for (const port of ports) {
    const [first, ...others] = provided.filter((one) => one.port === port)
    if (!first || others.length > 0) throw new Error(`The port ${port.name} needs exactly one implementation.`)
    port.connect(first.implementation)
  }
}

/**
 * Connects what modules declare for each other: hooks, ports, identity, settings and jobs. The modules are all of the
 * program's: settings and identity of an earlier call are replaced. Throws when a declaration names what does not
 * exist.
 */
export function connectModules(modules: readonly Module[]): readonly Module[] {
  checkDeclarations(modules.flatMap(({ resources = [] }) => resources))
  connectHooks(modules)
  connectPorts(modules)
  identityCatalogue.connect(modules.flatMap(({ identity = {} }) => identity))
  settingCatalogue.connect(modules.flatMap(({ settings = [] }) => settings))
  registerJobs(modules.flatMap((module) => module.jobs ?? []))
  return modules
}
