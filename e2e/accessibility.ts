import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** In which what shows every kind of control is looked at: each width, theme and language once. */
export const looks = [
  { look: 'on a desk, light', place: 'desk', width: 1440, height: 900, theme: 'light', language: 'en' },
  { look: 'on a small laptop, dark', place: 'laptop', width: 1024, height: 768, theme: 'dark', language: 'zh' },
  { look: 'on a phone, dark', place: 'phone', width: 390, height: 844, theme: 'dark', language: 'ja' },
] as const

export type Look = (typeof looks)[number]

/** How axe is asked. */
export interface Asked {
  /** Only this part of the page, a selector. */
  within?: string
  /** Rules that do not apply. */
  without?: readonly string[]
  /** Rules that axe leaves out by default. */
  also?: readonly string[]
}

/** Accessibility violations that axe finds on a page, one line per rule. */
export async function barriersOn(page: Page, { within, without = [], also = [] }: Asked = {}): Promise<string[]> {
  // A page that is looked at again still has it: compiling it takes a third of the time of a look.
  for (const frame of page.frames()) if (await frame.evaluate("!('axe' in window)")) await frame.evaluate(axe.source)
  const options: RunOptions = {
    // Describing each element that passes takes longer than all the checks.
    resultTypes: ['violations'],
    rules: Object.fromEntries([
      ...without.map((rule) => [rule, { enabled: false }] as const),
      ...also.map((rule) => [rule, { enabled: true }] as const),
    ]),
  }
  const context = within === undefined ? 'document' : JSON.stringify(within)
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
  )
}
