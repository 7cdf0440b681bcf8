// A directory of 10,000 users: reading it, a page of what was read, importing all, and a sign-in beside a local one.
import { performance } from 'node:perf_hooks'
import { type Client, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import { startProduct } from '@castellan/testing/product'
import { directoryUser, startDirectory } from '@castellan/testing/slapd'
import { percentile, report } from './results.ts'

const people = 10_000
const rounds = 20
const base = '/api/v1/settings/ldap/'
const password = 'Local-person-1'

const since = (began: number) => performance.now() - began
const pause = (milliseconds: number) => new Promise((settle) => setTimeout(settle, milliseconds))

/** The list of what was read; 409 until it is there. */
async function page(admin: Client, query: string): Promise<{ count: number }> {
  for (;;)
    try {
      return await admin.request<{ count: number }>('GET', `${base}users/?limit=15&${query}`)
    } catch (error) {
      if ((error as { status?: number }).status !== 409) throw error
      await pause(50)
    }
}

async function middle(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await work()
    times.push(since(began))
  }
  return percentile(times, 0.5)
}

await using directory = await startDirectory(
  Array.from({ length: people }, (_, n) => directoryUser(`person-${String(n).padStart(5, '0')}`)),
)
const product = await startProduct()
try {
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  await admin.request('PATCH', '/api/v1/settings/setting/?category=ldap', directory.settings)
  await makePerson(admin, 'local', password)

  let began = performance.now()
  const { count } = await page(admin, 'cache_police=1')
  const reading = since(began)
  if (count !== people) throw new Error(`${count} of ${people} users were read.`)
  const first = await middle(() => page(admin, ''))
  const deep = await middle(() => page(admin, 'offset=9000'))
  const searched = await middle(() => page(admin, 'search=person-0471'))

  began = performance.now()
  await admin.request('POST', `${base}users/import/`, { username_list: ['*'], org_ids: [] })
  const importing = since(began)
  const { count: known } = await admin.request<{ count: number }>('GET', '/api/v1/users/users/?limit=1&source=ldap')

  await signIn(product.url, 'person-00001', 'directory-person-00001')
  const local = await middle(() => signIn(product.url, 'local', password))
  const foreign = await middle(() => signIn(product.url, 'person-00001', 'directory-person-00001'))
  console.log(`read ${people} users in ${(reading / 1000).toFixed(1)} s; ${known} imported`)
  report([
    { what: 'first page of what was read', value: first, unit: 'ms', limit: { most: 50 } },
    { what: 'page at 9,000', value: deep, unit: 'ms', limit: { most: 50 } },
    { what: 'search', value: searched, unit: 'ms', limit: { most: 50 } },
    { what: 'import of all', value: importing / 1000, unit: 's', limit: { most: 10 } },
    { what: 'sign-in, local', value: local, unit: 'ms', limit: { most: 500 } },
    { what: 'sign-in, directory, compared with local', value: foreign / local, unit: 'x', limit: { most: 2 } },
  ])
} finally {
  await product.stop()
}
