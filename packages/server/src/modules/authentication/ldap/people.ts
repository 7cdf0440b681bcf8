/** Users of the directory: search, and what attributes become. */
import { type Client, FilterParser, InvalidCredentialsError } from 'ldapts'
import { isObject } from '../../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { ldap } from '../backends/directory-settings.ts'
import { searched } from './connection.ts'

/** A user as the directory has it. */
export interface DirectoryUser {
  readonly dn: string
  readonly username: string
  readonly name: string
  readonly email: string
  /** Names of groups, with the groups that contain these. */
  readonly groups: readonly string[]
  readonly isActive: boolean
}

/** Where users are, and how attributes are mapped. */
export interface UserSearch {
  /** Distinguished names, separated by `|`. */
  readonly bases: string
  /** With `%(user)s` for the name. */
  readonly filter: string
  readonly attributes: Readonly<Record<string, string>>
  readonly pageSize: number
}

export function savedSearch(ctx: Context): UserSearch {
  const stored = ldap.of(ctx)
  return {
    bases: stored.AUTH_LDAP_SEARCH_OU,
    filter: stored.AUTH_LDAP_SEARCH_FILTER,
    attributes: stored.AUTH_LDAP_USER_ATTR_MAP,
    pageSize: stored.AUTH_LDAP_SEARCH_PAGED_SIZE,
  }
}

export const basesOf = ({ bases }: Pick<UserSearch, 'bases'>): string[] =>
  bases
    .split('|')
    .map((base) => base.trim())
    .filter(Boolean)

export const isMapping = (value: unknown): value is Record<string, string> =>
  isObject(value) &&
  ['username', 'name', 'email'].every((name) => typeof value[name] === 'string' && value[name] !== '') &&
  Object.values(value).every((attribute) => typeof attribute === 'string')

const placeholder = '%(user)s'

/** A value inside of a filter (RFC 4515): it can neither end its comparison nor be a pattern. */
export const escaped = (value: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is one of the characters that RFC 4515 escapes
  value.replace(/[\\*()\u0000]/g, (char) => `\\${char.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Whether a filter can be used: without its placeholder, every sign-in would find every user. */
export function isFilter(filter: string): boolean {
  if (!filter.includes(placeholder)) return false
  try {
    FilterParser.parseString(filter.replaceAll(placeholder, 'x'))
    return true
  } catch {
    return false
  }
}

type Entry = Awaited<ReturnType<typeof searched>>[number]

/** Servers answer with their own spelling of attribute names. */
function valuesOf(entry: Entry, attribute: string | undefined): string[] {
  if (!attribute) return []
  const name = Object.keys(entry).find((key) => key.toLowerCase() === attribute.toLowerCase())
  return [name === undefined ? [] : (entry[name] ?? [])].flat().map(String)
}

const firstOf = (entry: Entry, attribute: string | undefined): string => valuesOf(entry, attribute)[0]?.trim() ?? ''

const accountDisabled = 2
function isActive(entry: Entry, attribute: string | undefined): boolean {
  const value = firstOf(entry, attribute)
  if (value === '') return true
  if (attribute?.toLowerCase() === 'useraccountcontrol') return (Number(value) & accountDisabled) === 0
  return !['false', '0', 'no', 'inactive'].includes(value.toLowerCase())
}

/** The first name of a distinguished name: `cn=Ops\\, Tokyo,ou=groups` becomes `Ops, Tokyo`. */
const nameIn = (dn: string): string =>
  (/^[^=]+=((?:\\.|[^,\\])*)/.exec(dn)?.[1] ?? dn).replace(/\\([0-9a-f]{2}|.)/gi, (_, code: string) =>
    code.length === 2 ? String.fromCharCode(Number.parseInt(code, 16)) : code,
  )

/** Groups that are followed from one user: circles end, and a hostile directory cannot make the search endless. */
const mostGroups = 500

/** Follows groups to the groups that contain them; each is read once. */
class Groups {
  readonly #client: Client
  readonly #attribute: string
  readonly #known = new Map<string, Promise<string[]>>()

  constructor(client: Client, attribute: string) {
    this.#client = client
    this.#attribute = attribute
  }

  #containing(dn: string): Promise<string[]> {
    const known = this.#known.get(dn)
    if (known) return known
    const asked = searched(this.#client, dn, { scope: 'base', attributes: [this.#attribute] }).then((entries) =>
      entries.flatMap((entry) => valuesOf(entry, this.#attribute)),
    )
    this.#known.set(dn, asked)
    return asked
  }

  async namesOf(direct: readonly string[]): Promise<string[]> {
    const found = new Set<string>()
    let next = [...direct]
    while (next.length > 0 && found.size < mostGroups) {
      const fresh = next.filter((dn) => !found.has(dn))
      for (const dn of fresh) found.add(dn)
      next = (await Promise.all(fresh.map((dn) => this.#containing(dn)))).flat()
    }
    return [...found].map(nameIn).sort()
  }
}

async function userOf(entry: Entry, attributes: UserSearch['attributes'], groups: Groups): Promise<DirectoryUser> {
  const username = firstOf(entry, attributes.username)
  return {
    dn: entry.dn,
    username,
    name: firstOf(entry, attributes.name) || username,
    email: firstOf(entry, attributes.email),
    groups: attributes.groups ? await groups.namesOf(valuesOf(entry, attributes.groups)) : [],
    isActive: isActive(entry, attributes.is_active),
  }
}

const asked = ({ attributes }: UserSearch): string[] => [...new Set(Object.values(attributes))]

/** Every user that the search finds, page by page; the first one of a name, and none without a name. */
export async function allUsers(client: Client, search: UserSearch): Promise<DirectoryUser[]> {
  const groups = new Groups(client, search.attributes.groups ?? '')
  const found = new Map<string, DirectoryUser>()
  for (const base of basesOf(search)) {
    const filter = search.filter.replaceAll(placeholder, '*')
    const paged = { pageSize: Math.max(1, search.pageSize) }
    for (const entry of await searched(client, base, { scope: 'sub', filter, attributes: asked(search), paged })) {
      const one = await userOf(entry, search.attributes, groups)
      if (one.username && !found.has(one.username)) found.set(one.username, one)
    }
  }
  return [...found.values()]
}

/** The one user of a typed name; undefined when there is none, or more than one. */
export async function userNamed(client: Client, search: UserSearch, typed: string): Promise<DirectoryUser | undefined> {
  const groups = new Groups(client, '')
  const found: DirectoryUser[] = []
  for (const base of basesOf(search)) {
    const filter = search.filter.replaceAll(placeholder, () => escaped(typed))
    const { groups: _groups, ...attributes } = search.attributes
    const entries = await searched(client, base, {
      scope: 'sub',
      filter,
      attributes: asked(search),
      paged: { pageSize: 2 },
    })
    for (const entry of entries.slice(0, 2)) found.push(await userOf(entry, attributes, groups))
  }
  return found.length === 1 && found[0]?.username ? found[0] : undefined
}

/** Whether the directory accepts a password for a name. One without characters proves nothing: such binds always succeed. */
export async function bindsAs(client: Client, dn: string, password: string): Promise<boolean> {
  if (password === '') return false
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false
    throw error
  }
}
