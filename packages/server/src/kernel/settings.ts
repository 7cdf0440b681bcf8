import type { Database, Db } from '../db/database.ts'
import { defineEvent, type Events } from './events.ts'
import { Sealed, type Vault } from './secrets.ts'
import { type SettingDeclaration, valueFromEnvironment } from './settings-environment.ts'

export type { SettingDeclaration }

export const settingsChanged = defineEvent<{ names: string[] }>('settings.changed')

/** Where a secret among the settings is kept (`secrets.ts`). */
const placeOf = (name: string) => `settings_setting.${name}`

/**
 * Values of the installation's settings: what the database holds, else the environment's variable of the same name, else
 * the declared default. Read from memory; every program reads again when one of them changes something.
 */
export class Settings {
  readonly #database: Database
  readonly #vault: Vault
  readonly #declared = new Map<string, SettingDeclaration>()
  /** What the environment says; secrets are sealed. */
  readonly #environment = new Map<string, unknown>()
  #stored = new Map<string, unknown>()

  constructor(database: Database, vault: Vault) {
    this.#database = database
    this.#vault = vault
  }

  /** @throws Error with a sentence that names the variable when the environment holds something else than the setting's kind */
  declare(declarations: readonly SettingDeclaration[], env: NodeJS.ProcessEnv = process.env): void {
    for (const declaration of declarations) {
      this.#declared.set(declaration.name, declaration)
      const value = valueFromEnvironment(declaration, env)
      if (value !== undefined)
        this.#environment.set(
          declaration.name,
          declaration.secret ? this.#vault.seal(String(value), placeOf(declaration.name)) : value,
        )
    }
  }

  /** Whoever knows the limits of values passes those of the environment through `limited`, which answers each as it counts or throws. */
  limitEnvironment(limited: (name: string, value: unknown) => unknown): void {
    for (const [name, value] of this.#environment)
      if (!(value instanceof Sealed)) this.#environment.set(name, limited(name, value))
  }

  /** The value in force, for `setting-groups.ts`, which knows its type. Secrets come as `Sealed`. */
  get<T>({ name, default: otherwise }: SettingDeclaration): T {
    if (!this.#declared.has(name)) throw new Error(`No module lists the group of the setting ${name}.`)
    if (this.#stored.has(name)) return this.#stored.get(name) as T
    return (this.#environment.has(name) ? this.#environment.get(name) : otherwise) as T
  }

  /** Whether the database holds it, whatever the environment and the default say. */
  isSet({ name }: SettingDeclaration): boolean {
    return this.#stored.has(name)
  }

  async load(): Promise<void> {
    const rows = await this.#database.reader
      .selectFrom('settings_setting')
      .select(['name', 'value', 'encrypted'])
      .execute()
    this.#stored = new Map(
      rows.map(({ name, value, encrypted }) => [
        name,
        encrypted ? new Sealed(value, placeOf(name)) : JSON.parse(value),
      ]),
    )
  }

  follow(events: Events): void {
    events.on(settingsChanged, () => this.load())
  }

  /** Stores values inside the caller's transaction; other programs follow when it is durable. */
  async store(db: Db, events: Events, values: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      const secret = this.#declared.get(name)?.secret === true
      const row = {
        value: secret ? this.#vault.seal(String(value), placeOf(name)).stored() : JSON.stringify(value),
        encrypted: secret,
        date_updated: Date.now(),
      }
      await db
        .insertInto('settings_setting')
        .values({ name, ...row })
        .onConflict((c) => c.column('name').doUpdateSet(row))
        .execute()
    }
    await events.send(db, settingsChanged, { names: Object.keys(values) })
  }
}
