import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from './client.ts'
import { type Product, productStatus, type RunningProduct, startProduct } from './product.ts'

/** Where the products of all test processes keep their data, set by the setup of the run, which removes it. */
export const folderVariable = 'CASTELLAN_SHARED_PRODUCTS'

/** The rows that a new product has, by collection, and its settings. */
interface Beginning {
  ids: ReadonlyMap<string, ReadonlySet<string>>
  settings: string
}

interface Shared {
  product: Product
  admin: Client
  beginning: Beginning
}

/** The parts of the product itself, which may introduce themselves at any time. */
const ownParts = '/api/v1/terminal/terminals/'

let shared: Promise<Shared> | undefined
let started = 0

/**
 * The running product of this test process, for one file after the other, with nothing in it that the file before has
 * made. What stays is what the API cannot take away: logs, sessions, messages. A file that stops programs, changes
 * settings or needs an environment of its own starts its own product.
 */
export async function sharedProduct(): Promise<RunningProduct> {
  const before = await shared?.catch(() => undefined)
  if (before && (await isAsNew(before))) return before.product
  await before?.product.stop()
  shared = start()
  return (await shared).product
}

async function start(): Promise<Shared> {
  const folder = process.env[folderVariable]
  const product = await startProduct(folder ? { dataDir: join(folder, `${process.pid}-${started++}`) } : {})
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  await admin.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  const ids = new Map<string, ReadonlySet<string>>()
  for (const path of await collections(admin)) ids.set(path, new Set((await rows(admin, path)).map(idOf)))
  return { product, admin, beginning: { ids, settings: await settings(admin) } }
}

const idOf = (row: AnyRow) => String(row.id)
const rows = (client: Client, path: string) => client.request<AnyRow[]>('GET', path)
const settings = async (client: Client) =>
  JSON.stringify(await client.request('GET', '/api/v1/settings/setting/?category=all'))

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
async function isAsNew({ product, admin, beginning }: Shared): Promise<boolean> {
  try {
    const { ready, programs } = await product.status()
    if (!ready || Object.values(programs).some(({ restarts }) => restarts > 0)) return false
    await empty(admin, beginning.ids)
    await admin.request('PATCH', '/api/v1/notifications/site-messages/mark-as-read-all/')
    return (await settings(admin)) === beginning.settings
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
