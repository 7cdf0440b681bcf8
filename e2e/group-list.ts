import type { Locator } from 'playwright-core'
import { type OpenPages, openPages } from './open-pages.ts'

export { patience } from './open-pages.ts'

const groups = 40

/** A console with forty groups in it, and what its tests look for all the time. */
export interface GroupList extends OpenPages {
  button(name: string): Locator
  rows(): Locator
}

export async function openGroupList(): Promise<GroupList> {
  const opened = await openPages((client) =>
    client
      .collection('users/groups')
      .createMany(Array.from({ length: groups }, (_, at) => ({ name: `group ${100 + at}` }))),
  )
  const { page } = opened
  return Object.assign(opened, {
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    rows: () => page.locator('tbody tr[data-row-key]'),
  })
}
