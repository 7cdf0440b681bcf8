import { consoleMessages } from '@castellan/contract/messages/console'
import type { Language } from '@castellan/testing/browser'
import type { AnyRow } from '@castellan/testing/client'
import type { Locator, Page } from 'playwright-core'
import type { Asked, Look } from '../accessibility.ts'
import { answering } from '../answering.ts'

/** The console in one language: its words, and the controls they stand on. */
export class Stage {
  readonly page: Page
  readonly url: string
  readonly language: Language
  constructor(page: Page, url: string, language: Language) {
    this.page = page
    this.url = url
    this.language = language
  }
  word(key: keyof typeof consoleMessages): string {
    return consoleMessages[key][this.language]
  }
  button(key: keyof typeof consoleMessages, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name: this.word(key), exact: true }).first()
  }
  dialog(): Locator {
    return this.page.getByRole('dialog').last()
  }
  field(name: string, within: Page | Locator = this.page): Locator {
    return within.locator(`[data-field="${name}"]`)
  }
  async open(address: string): Promise<void> {
    await this.page.goto('about:blank')
    await this.page.goto(`${this.url}/ui/#${address}`)
    await this.page.locator('main:not(:has(.ant-skeleton, [aria-busy=true])):has(h1)').waitFor()
  }
  /** The first row of a collection. @throws Error when it is empty */
  async first(collection: string, filters: Record<string, string> = {}): Promise<AnyRow> {
    const query = new URLSearchParams({ ...filters, limit: '1' })
    const answer = await this.page.request.get(`${this.url}/api/v1/${collection}/?${query}`)
    const { results } = (await answer.json()) as { results: AnyRow[] }
    if (!results[0]) throw new Error(`There is no row in ${collection} for ${query}.`)
    return results[0]
  }
  /** The address of the page of the first row. */
  async of(path: string, ...row: Parameters<Stage['first']>): Promise<string> {
    return path.replace(':id', String((await this.first(...row)).id))
  }
  /** Answers a call as if there were something else; a function changes what the product answers. */
  async answer(url: string, json: object | ((read: never) => object)): Promise<void> {
    if (typeof json === 'function') await answering(this.page, url, json as (read: object) => object)
    else await this.page.route(url, (route) => route.fulfill({ json }))
  }
  async tick(count: number): Promise<void> {
    const boxes = this.page.locator('.list-body :is(td .box, .m-card .ant-checkbox-input)')
    for (let at = 0; at < count; at++) await boxes.nth(at).check()
  }
  /** Opens a row's menu and chooses the entry. */
  async choose(key: keyof typeof consoleMessages): Promise<void> {
    await this.page.locator('.list-body .dots').first().click()
    await this.page.getByRole('menuitem', { name: this.word(key), exact: true }).click()
  }
  /** Chooses what a list that has opened offers. */
  async pick(box: Locator, option: string | RegExp): Promise<void> {
    await box.click()
    await this.page
      .locator('.ant-select-dropdown:visible .ant-select-item-option')
      .filter({ hasText: option })
      .first()
      .click()
  }
  /** Chooses a node where one can be chosen. @param path from the root */
  async chooseNode(box: Locator, path: string): Promise<void> {
    await box.click()
    await this.page.getByTitle(path, { exact: true }).last().click()
  }
}

/** A state without a URL of its own: a dialog, a menu, a form half filled in. It is opened as a user would. */
export interface Scene {
  name: string
  /** Needs the room of a desk. */
  desk?: boolean
  /** Where axe looks at it. */
  looks?: readonly Look['place'][]
  /** What axe is asked there; all of the page without it. */
  asked?: Asked
  /** One of each kind is looked at in every run; of the others, a share. */
  kind?: true
  show(stage: Stage): Promise<unknown>
  /** Puts back what the others need, when it has been looked at. */
  after?(stage: Stage): Promise<unknown>
}

/** Leaves a scene as the next one needs it: calls are answered by the product again. */
export async function leave(stage: Stage, scene: Scene): Promise<void> {
  await scene.after?.(stage)
  await stage.page.unrouteAll({ behavior: 'ignoreErrors' })
}
