import type { DatabaseSync } from 'node:sqlite'
import { type Client, signIn } from '@castellan/testing/client'
import { makePerson } from '@castellan/testing/granted-host'
import type { Product } from '@castellan/testing/product'

const password = 'Bench-tickets-1'
const hour = 3_600_000

/** Columns that differ between copies, as expressions of the number `n`. */
const ticketColumns: Readonly<Record<string, string>> = {
  id: "printf('%08x-0000-4000-8000-%012x', n, n)",
  title: "'Access for project ' || n",
  serial_num: "'20260101' || printf('%06d', n)",
  date_created: 'date_created - n * 1000',
  // A tenth is open.
  status: "case when n % 10 = 0 then 'open' else 'closed' end",
  state: "case n % 10 when 0 then 'pending' when 1 then 'rejected' else 'approved' end",
}
const ofTicket = { ticket_id: ticketColumns.id as string }

/** Copies the rows of a ticket, with all columns as they are except the given ones. */
export function multiply(
  database: DatabaseSync,
  table: string,
  key: string,
  id: string,
  count: number,
  changed: object,
) {
  const columns = database.prepare(`select name from pragma_table_info('${table}')`).all() as { name: string }[]
  const names = columns.map(({ name }) => `"${name}"`).join()
  const values = columns.map(({ name }) => (changed as Record<string, string>)[name] ?? `"${name}"`).join()
  database
    .prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into ${table} (${names}) select ${values} from ${table}, numbers where ${key} = ?`,
    )
    .run(count, id)
}

/** Adds tickets until there are `count`: one is opened as a user does, the others are its copies in the database. */
export async function manyTickets(product: Product, admin: Client, database: DatabaseSync, count: number) {
  const { total } = database.prepare('select count(*) as total from tickets_ticket').get() as { total: number }
  if (total >= count) return
  await makePerson(admin, 'applicant', password)
  const applicant = await signIn(product.url, 'applicant', password)
  await applicant.request('PATCH', '/api/v1/users/profile/', { is_first_login: false })
  const { results } = await admin.collection<{ id: string }, object>('assets/hosts').page({ limit: 1 })
  const now = Date.now()
  const [org] = await admin.request<{ id: string }[]>('GET', '/api/v1/orgs/orgs/')
  const { id } = await applicant.request<{ id: string }>('POST', '/api/v1/tickets/apply-asset-tickets/open/', {
    title: 'Access for project 0',
    org_id: org?.id,
    apply_assets: results.map((row) => row.id),
    apply_nodes: [],
    apply_accounts: ['@ALL'],
    apply_actions: ['connect'],
    apply_date_start: new Date(now - hour).toISOString(),
    apply_date_expired: new Date(now + hour).toISOString(),
  })
  database.exec('begin immediate')
  multiply(database, 'tickets_ticket', 'id', id, count, ticketColumns)
  multiply(database, 'tickets_step', 'ticket_id', id, count, ofTicket)
  multiply(database, 'tickets_assignee', 'ticket_id', id, count, ofTicket)
  database.exec('commit')
}
