import type { Client } from '@castellan/testing/client'
import { type OpenConsole, openConsole } from '@castellan/testing/console'
import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'

export { answering } from './answering.ts'

export const patience = { timeout: 15_000, interval: 50 }
/** The call by which the console learns how the installation is set up. */
export const settingsRead = '**/api/v1/settings/public/'

/** A console whose addresses are opened one after the other. */
export interface OpenPages extends OpenConsole {
  /** Opens an address without loading the console again, and waits for its title; in this page or another one. */
  open(address: string, where?: Page): Promise<void>
  /** The same with a load of the console: what an installation or a person is told to be is read at its start. */
  start(address: string, where?: Page): Promise<void>
  /** The address comes to be such a one, in this page or another one. */
  leads(to: RegExp | string, where?: Page): Promise<void>
}

/** Opens it. `prepare` makes by the API what the screens are to show. */
export async function openPages(prepare: (client: Client) => Promise<unknown>): Promise<OpenPages> {
  const opened = await openConsole({ prepare })
  const { page } = opened
  const titled = (where: Page) => where.getByRole('heading', { level: 1 }).first().waitFor()
  return Object.assign(opened, {
    async open(address: string, where = page) {
      await opened.visit(address, where)
      await titled(where)
    },
    async start(address: string, where = page) {
      await opened.load(address, where)
      await titled(where)
    },
    leads: (to: RegExp | string, where = page) =>
      vi.waitFor(() => expect(new URL(where.url()).hash).toMatch(to), patience),
  })
}

/** Waits until what has happened is drawn: two frames begin after it. */
export const framesPassed = (where: Page): Promise<unknown> =>
  where.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
