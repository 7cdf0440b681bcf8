import type { Message } from '@castellan/contract/messages'
import type { PermissionCode } from '@castellan/contract/permissions'
import type { Config } from '../../config.ts'
import type { Field } from '../fields/field.ts'
import type { Context } from '../module/context.ts'
import type { Text } from '../module/errors.ts'
import type { Sealed } from '../security/secrets.ts'
import type { Settings } from './settings.ts'
import type { EnvironmentKind, SettingDeclaration } from './settings-environment.ts'

/** Whatever leads to the installation's settings: a context, or the services. */
type Reader = { readonly services: { readonly settings: Settings } } | { readonly settings: Settings }
const settingsOf = (from: Reader): Settings => ('services' in from ? from.services.settings : from.settings)

interface SettingFacts {
  isPublic: boolean
  isProposed: boolean
  fromEnvironment: boolean
  unavailable: Reason | undefined
  sentTo: readonly string[]
  guard: PermissionCode | undefined
}

/** Why a setting has no effect: always, or with a configuration. */
type Reason = Message | ((config: Config) => Message | undefined)

/** One declared setting; its values have the type of its field. */
export class Setting<V = unknown> implements SettingDeclaration {
  readonly name: string
  readonly field: Field<V, 'own'>
  /** Shown to every signed-in program. */
  readonly isPublic: boolean
  readonly environment: EnvironmentKind | undefined
  /** Why a change has no effect yet; changes are rejected with this reason. */
  readonly unavailable: Reason | undefined
  /** Settings that say where a secret is sent, and with which name: a stored secret is not sent elsewhere. */
  readonly sentTo: readonly string[]
  /** The permission that a change of this setting needs beside that of its category, with a confirmation. */
  readonly guard: PermissionCode | undefined
  /** In force until another value is stored. A secret has none. */
  readonly default: unknown

  constructor(name: string, field: Field<V, 'own'>, facts: SettingFacts) {
    if (typeof field.default === 'function' || (field.default === undefined && !field.secret))
      throw new Error(`The setting ${name} needs a default: the value in force until somebody stores another one.`)
    if (field.secret && facts.isPublic) throw new Error(`The setting ${name} is a secret and cannot be public.`)
    this.name = name
    this.field = { ...field, resets: false, default: facts.isProposed ? field.default : undefined }
    this.default = field.secret ? null : field.default
    this.isPublic = facts.isPublic
    this.unavailable = facts.unavailable
    this.sentTo = facts.sentTo
    this.guard = facts.guard
    this.environment = facts.fromEnvironment ? kindOf(field) : undefined
  }

  get secret(): boolean {
    return this.field.secret === true
  }

  /** The value in force. */
  of(from: Reader): V {
    return settingsOf(from).get<V>(this)
  }

  /** The value that applies when none is stored: of the environment, or the default. */
  fallback(from: Reader): V {
    return settingsOf(from).fallback<V>(this)
  }

  /** Why a change would have no effect in this installation; undefined where it has one. */
  reasonWithoutEffect(config: Config): Message | undefined {
    return typeof this.unavailable === 'function' ? this.unavailable(config) : this.unavailable
  }

  /** Whether a value is stored, regardless of the environment and the default. */
  isStored(from: Reader): boolean {
    return settingsOf(from).isSet(this)
  }
}

function reasonIn(reasons: object | undefined, name: string): Reason | undefined {
  if (!reasons) return undefined
  return 'en' in reasons ? (reasons as Message) : (reasons as Readonly<Record<string, Reason>>)[name]
}

function kindOf({ type, column }: Field): EnvironmentKind {
  if (type === 'boolean' || type === 'integer' || type === 'list') return type
  if (type === 'choice') return column?.type === 'integer' ? 'integer' : 'text'
  return type === 'json' || type === 'nested object' ? 'json' : 'text'
}

/** A field declares the setting; a setting of another group is shown here as well, at this place. */
type Members = Readonly<Record<string, Field<unknown, 'own'> | Setting>>
type ValueOf<M> = M extends Setting<infer V> ? V : M extends Field<infer V, 'own'> ? V : never
/** What can be stored: a secret as its text. */
type Stored<M> = [Extract<ValueOf<M>, Sealed>] extends [never] ? ValueOf<M> : string
type Secrets<M extends Members> = {
  [K in keyof M]: [Extract<ValueOf<M[K]>, Sealed>] extends [never] ? never : K
}[keyof M]
/** A secret cannot be public. */
type PublicNames<M extends Members> = Exclude<keyof M & string, Secrets<M>>
type Handles<M extends Members> = { readonly [K in keyof M]: Setting<ValueOf<M[K]>> }
export type SettingValues<M extends Members> = { readonly [K in keyof M]: ValueOf<M[K]> }

/**
 * Who changes the values. Those of a category: users with its permission, by `/api/v1/settings/setting/?category=…`; with
 * `changing`, its permission only reads.
 * Otherwise `environment`: only variables of their names; `product`: only the product itself, not even a variable;
 * `other category`: the category of another group shows them.
 */
type Place =
  | { readonly category: string; readonly permission: PermissionCode; readonly changing?: PermissionCode }
  | { readonly changedBy: 'environment' | 'product' | 'other category' }

interface Facts<M extends Members> {
  /** Labels and hints stand in the messages of the settings module, under the name and `<name>.help`. */
  readonly fields: M
  /** Shown to every signed-in program by `/api/v1/settings/public/`. */
  readonly public?: readonly PublicNames<M>[]
  /** An object in `/api/v1/settings/public/` that holds some of them. */
  readonly publicAs?: { readonly name: string; readonly settings: readonly PublicNames<M>[] }
  /** Forms propose the default of these. For another proposal than the default use `describedAs`. */
  readonly proposed?: readonly (keyof M & string)[]
  /**
   * Where a secret is sent to. Whoever changes one of these settings has to enter the secret again; otherwise a new
   * address would receive what somebody else stored.
   */
  readonly sentTo?: { readonly [K in Secrets<M> & string]?: readonly (keyof M & string)[] }
  /**
   * Settings that decide where live links, codes or secrets go: whoever changes one can take over other users. A change
   * needs this permission too, and a confirmation.
   */
  readonly guarded?: { readonly by: PermissionCode; readonly names: readonly (keyof M & string)[] }
  /** What is wrong with values together: those in force, with the changed ones in place. */
  readonly check?: (values: Readonly<Record<string, unknown>>) => Text | undefined
  /** Settings that nothing reads yet, or the reason for all of the group: pages show it, changes are rejected with it. */
  readonly unavailable?: Message | { readonly [K in keyof M & string]?: Reason }
}

/** Settings that are read, shown and changed together. */
export class SettingGroup<M extends Members = Members> {
  readonly category: string | undefined
  readonly permission: PermissionCode | undefined
  readonly changing: PermissionCode | undefined
  readonly changedBy: 'category' | 'environment' | 'product' | 'other category'
  readonly publicAs: { readonly name: string; readonly settings: readonly Setting[] } | undefined
  readonly check: ((values: Readonly<Record<string, unknown>>) => Text | undefined) | undefined
  /** Each setting by its name: to read one, or to show it in another category, too. */
  readonly settings: Handles<M>
  /** Those of them that are declared here. */
  readonly own: readonly Setting[]
  /** Has a getter for each setting, so that reading a group makes one small object. */
  readonly #getters: object

  constructor(declaration: Place & Facts<M>) {
    const { fields, publicAs, unavailable, sentTo, guarded } = declaration
    this.category = 'category' in declaration ? declaration.category : undefined
    this.permission = 'category' in declaration ? declaration.permission : undefined
    this.changing = 'category' in declaration ? (declaration.changing ?? declaration.permission) : undefined
    this.changedBy = 'category' in declaration ? 'category' : declaration.changedBy
    const isIn = (names: readonly string[] | undefined, name: string) => names?.includes(name) ?? false
    const settings: Record<string, Setting> = {}
    const own: Setting[] = []
    for (const [name, member] of Object.entries(fields)) {
      if (member instanceof Setting) {
        if (member.name !== name) throw new Error(`The setting ${member.name} is not called ${name}.`)
        settings[name] = member
        continue
      }
      const setting = new Setting(name, member, {
        isPublic: isIn(declaration.public, name),
        isProposed: isIn(declaration.proposed, name),
        fromEnvironment: this.changedBy !== 'product',
        unavailable: reasonIn(unavailable, name),
        sentTo: sentTo?.[name as Secrets<M> & string] ?? [],
        guard: guarded?.names.includes(name) ? guarded.by : undefined,
      })
      settings[name] = setting
      own.push(setting)
    }
    this.settings = settings as Handles<M>
    this.check = declaration.check
    this.own = own
    this.publicAs = publicAs && {
      name: publicAs.name,
      settings: own.filter(({ name }) => isIn(publicAs.settings, name)),
    }
    this.#getters = Object.defineProperties(
      {},
      Object.fromEntries(
        Object.values(settings).map((setting) => [
          setting.name,
          {
            get(this: { settings: Settings }) {
              return setting.of(this)
            },
          },
        ]),
      ),
    )
  }

  /** The values in force, each read when it is asked for. */
  of(from: Reader): SettingValues<M> {
    return Object.assign(Object.create(this.#getters), { settings: settingsOf(from) })
  }

  /** Stores values inside the caller's transaction, without limits and log: for what the product itself keeps. */
  store(ctx: Context, values: { readonly [K in keyof M]?: Stored<M[K]> }): Promise<void> {
    const { settings, events } = ctx.services
    return settings.store(ctx.rawDb, events, values)
  }
}

/** Declares settings; list the group in `settings` of the module that reads them. */
export const defineSettings = <M extends Members>(declaration: Place & Facts<M>): SettingGroup<M> =>
  new SettingGroup(declaration)

export interface SettingCategory {
  /** Reads them. */
  readonly permission: PermissionCode
  /** Changes them. */
  readonly changing: PermissionCode
  readonly settings: readonly Setting[]
}

/** Every setting and every category of the installation's modules. */
export class SettingCatalogue {
  #settings = new Map<string, Setting>()
  #categories = new Map<string, SettingCategory>()
  #groups: readonly SettingGroup[] = []

  /** Connects the groups of all modules. Throws when two declare the same setting, or no category shows one. */
  connect(groups: readonly SettingGroup[]): void {
    const settings = new Map<string, Setting>()
    const categories = new Map<string, SettingCategory>()
    for (const group of groups)
      for (const setting of group.own) {
        if (settings.has(setting.name)) throw new Error(`Two groups declare the setting ${setting.name}.`)
        settings.set(setting.name, setting)
      }
    for (const { category, permission, changing, settings: members } of groups) {
      if (!category || !permission || !changing) continue
      if (categories.has(category)) throw new Error(`Two groups declare the category ${category}.`)
      categories.set(category, { permission, changing, settings: Object.values(members) })
    }
    const shown = new Set([...categories.values()].flatMap((category) => category.settings))
    for (const setting of shown)
      if (settings.get(setting.name) !== setting) throw new Error(`No module lists the group of ${setting.name}.`)
    for (const { own, changedBy } of groups)
      for (const setting of changedBy === 'other category' ? own : [])
        if (!shown.has(setting)) throw new Error(`No category shows the setting ${setting.name}.`)
    this.#settings = settings
    this.#categories = categories
    this.#groups = groups
  }

  get groups(): readonly SettingGroup[] {
    return this.#groups
  }

  get settings(): readonly Setting[] {
    return [...this.#settings.values()]
  }

  find(name: string): Setting | undefined {
    return this.#settings.get(name)
  }

  get categories(): ReadonlyMap<string, SettingCategory> {
    return this.#categories
  }
}

/** Filled by `connectModules`. */
export const settingCatalogue = new SettingCatalogue()
