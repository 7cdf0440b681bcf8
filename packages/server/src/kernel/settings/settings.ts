import type { Database, Db } from '../../db/database.ts'
import { defineEvent, type Events } from '../events/events.ts'
import { Sealed, type Vault } from '../security/secrets.ts'
import { type SettingDeclaration, valueFromEnvironment } from './settings-environment.ts'

export type { SettingDeclaration }

export const settingsChanged = defineEvent<{ names: string[] }>('settings.changed')

/** The column name that secret settings are bound to (`secrets.ts`). */
const placeOf = (name: string) => `settings_setting.${name}`

/**
 * The installation's settings: the value in the database, else the environment variable of the same name, else the
 * declared default. Read from memory; every process reloads when one of them changes a setting.
 */
export class Settings {
  readonly #database: Database
  readonly #vault: Vault
  readonly #declared = new Map<string, SettingDeclaration>()
  /** Values from the environment; secrets are sealed. */
  readonly #environment = new Map<string, unknown>()
  #stored = new Map<string, unknown>()

  constructor(database: Database, vault: Vault) {
    this.#database = database
    this.#vault = vault
  }

  /** @throws Error with a sentence that names the variable when its value does not match the setting's type */
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

  /** Validates values read from the environment. `limited` returns the normalized value or throws. */
  limitEnvironment(limited: (name: string, value: unknown) => unknown): void {
    for (const [name, value] of this.#environment)
      if (!(value instanceof Sealed)) this.#environment.set(name, limited(name, value))
  }

  /** The effective value, for `setting-groups.ts`, which has its type. Secrets are `Sealed`. */
  get<T>(declaration: SettingDeclaration): T {
    const { name } = declaration
    if (!this.#declared.has(name)) throw new Error(`No module lists the group of the setting ${name}.`)
    return this.#stored.has(name) ? (this.#stored.get(name) as T) : this.fallback<T>(declaration)
  }

  /** The value without a stored one. */
  fallback<T>({ name, default: otherwise }: SettingDeclaration): T {
    return (this.#environment.has(name) ? this.#environment.get(name) : otherwise) as T
  }

  /** Whether a value is stored, regardless of the environment and the default. */
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

  /** Stores values in the caller's transaction; other processes reload after the commit. */
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

  /** Deletes stored values in the caller's transaction; other processes reload after the commit. */
  async reset(db: Db, events: Events, names: readonly string[]): Promise<void> {
    await db
      .deleteFrom('settings_setting')
      .where('name', 'in', [...names])
      .execute()
    await events.send(db, settingsChanged, { names: [...names] })
  }
}
