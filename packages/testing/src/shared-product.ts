import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type AnyRow, type Client, confirmed, signIn } from './client.ts'
import { type Product, type ProgramName, productStatus, type RunningProduct, startProduct } from './product.ts'

/** Where the products of all test processes keep their data, set by the setup of the run, which removes it. */
export const folderVariable = 'CASTELLAN_SHARED_PRODUCTS'

/** The rows that a new product has, by collection, and its settings. */
interface Beginning {
  ids: ReadonlyMap<string, ReadonlySet<string>>
  settings: Settings
}

interface Settings {
  /** Those that can be read. */
  values: Readonly<Record<string, unknown>>
  /** Names of those that somebody has set, among them secrets, which nobody can read. */
  stored: readonly string[]
}

/** Its programs may be killed: the supervisor starts them again. */
export type SharedProduct = RunningProduct & Pick<Product, 'kill' | 'ready'>

interface Shared {
  product: Product
  /** How often each program was killed by a test. */
  killed: Map<ProgramName, number>
  admin: Client
  beginning: Beginning
}

/** The parts of the product itself, which may introduce themselves at any time. */
const ownParts = '/api/v1/terminal/terminals/'

let shared: Promise<Shared> | undefined
let started = 0
/** Ends when the product is empty for the file that asked last. */
let handedOver: Promise<unknown> = Promise.resolve()

/**
 * The running product of this test process, for one file after the other, with nothing in it that the file before has
 * made or set. What stays is what the API cannot take away: logs, sessions, messages. A file that halts the product, changes rows
 * that a new one has, or needs an environment of its own starts its own product.
 */
export function sharedProduct(): Promise<SharedProduct> {
  // A file that fails while it waits for the product leaves it half way to empty: the next one has to wait for that.
  const next = handedOver.then(emptied)
  handedOver = next.catch(() => undefined)
  return next
}

async function emptied(): Promise<SharedProduct> {
  const before = await shared?.catch(() => undefined)
  if (before && (await isAsNew(before))) return killable(before)
  await before?.product.stop()
  shared = start()
  return killable(await shared)
}

const killable = ({ product, killed }: Shared): SharedProduct => ({
  ...product,
  async kill(program, signal) {
    killed.set(program, (killed.get(program) ?? 0) + 1)
    await product.kill(program, signal)
  },
})

async function start(): Promise<Shared> {
  const folder = process.env[folderVariable]
  const product = await startProduct(folder ? { dataDir: join(folder, `${process.pid}-${started++}`) } : {})
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  const ids = new Map<string, ReadonlySet<string>>()
  for (const path of await collections(admin)) ids.set(path, new Set((await rows(admin, path)).map(idOf)))
  return { product, admin, killed: new Map(), beginning: { ids, settings: await settings(admin) } }
}

const idOf = (row: AnyRow) => String(row.id)
const rows = (client: Client, path: string) => client.request<AnyRow[]>('GET', path)
const settingPath = '/api/v1/settings/setting/'

async function settings(client: Client): Promise<Settings> {
  const values = await client.request<Settings['values']>('GET', `${settingPath}?category=all`)
  const { stored } = await client.request<{ stored: object }>('GET', `${settingPath}state/?category=all`)
  return { values, stored: Object.keys(stored) }
}

/**
 * Resets what was set since, also secrets. What a new product has set itself keeps its value: if that has changed, the
 * settings are no longer the same.
 * @returns whether they are as they were
 */
async function restore(client: Client, before: Settings): Promise<boolean> {
  const names = (await settings(client)).stored.filter((name) => !before.stored.includes(name))
  if (names.length > 0) await client.request('POST', `${settingPath}reset/?category=all`, { names })
  return isDeepStrictEqual(await settings(client), before)
}

/** Every list whose rows can be deleted, by the product's own description of its API. */
async function collections(client: Client): Promise<string[]> {
  const { paths } = await client.request<{ paths: Record<string, object> }>('GET', '/api/swagger.json')
  const deletable = new Set(
    Object.entries(paths).flatMap(([path, methods]) => ('delete' in methods ? path.replace(/\{\w+\}\/$/, '') : [])),
  )
  return (
    Object.entries(paths)
      // A state that can be withdrawn is no list, and what is below a row leaves with it.
      .filter(
        ([path, methods]) =>
          'get' in methods &&
          deletable.has(path) &&
          path !== ownParts &&
          !path.includes('{') &&
          !path.endsWith('/status/'),
      )
      .map(([path]) => path)
  )
}

/** Empties the product. True if it is back in its initial state and works. */
async function isAsNew({ product, killed, admin, beginning }: Shared): Promise<boolean> {
  try {
    if (killed.size > 0) await product.ready()
    const { ready, programs } = await product.status()
    const names = Object.keys(programs) as ProgramName[]
    if (!ready || names.some((name) => programs[name].restarts > (killed.get(name) ?? 0))) return false
    await empty(admin, beginning.ids)
    await admin.request('PATCH', '/api/v1/notifications/site-messages/mark-as-read-all/')
    return await restore(await confirmed(admin, product.adminPassword), beginning.settings)
  } catch {
    return false
  }
}

/** @throws Error when something cannot be deleted */
async function empty(admin: Client, ids: Beginning['ids']): Promise<void> {
  const organizations = '/api/v1/orgs/orgs/'
  const added = async (client: Client, path: string) =>
    (await rows(client, path)).map(idOf).filter((id) => !ids.get(path)?.has(id))
  // What others refer to goes in a later round.
  for (;;) {
    let deleted = 0
    let left = 0
    for (const client of [admin, ...(await added(admin, organizations)).map((id) => admin.in(id))])
      for (const path of ids.keys())
        for (const id of await added(client, path)) {
          const isGone = await client.request('DELETE', `${path}${id}/`).then(
            () => true,
            () => false,
          )
          if (isGone) deleted++
          else left++
        }
    if (left === 0) return
    if (deleted === 0) throw new Error('The product cannot be emptied.')
  }
}

/** Waits until none of the products in a folder runs any more. */
export async function untilEnded(dataDirs: readonly string[]): Promise<void> {
  for (const dataDir of dataDirs)
    while (await productStatus(dataDir)) await new Promise((settle) => setTimeout(settle, 20))
}
