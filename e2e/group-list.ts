import type { Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import type { Locator, Page } from 'playwright-core'
import { expect, vi } from 'vitest'

export const patience = { timeout: 15_000, interval: 50 }
const groups = 40

/** A console with forty groups in it, and what its tests look for all the time. */
export interface GroupList extends OpenConsole {
  /** Loads an address anew, in this page or another one. */
  open(address: string, where?: Page): Promise<void>
  button(name: string): Locator
  rows(): Locator
  /** The address comes to be such a one. */
  leads(to: RegExp): Promise<void>
}

export async function openGroupList(): Promise<GroupList> {
  const opened = await openConsole({
    prepare: (client: Client) =>
      client
        .collection('users/groups')
        .createMany(Array.from({ length: groups }, (_, at) => ({ name: `group ${100 + at}` }))),
  })
  const { page, product } = opened
  return Object.assign(opened, {
    async open(address: string, where = page) {
      await where.goto('about:blank')
      await where.goto(`${product.url}/ui/#${address}`)
      await where.getByRole('heading', { level: 1 }).first().waitFor()
    },
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    rows: () => page.locator('tbody tr[data-row-key]'),
    leads: (to: RegExp) => vi.waitFor(() => expect(new URL(page.url()).hash).toMatch(to), patience),
  })
}
