import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** In which what shows every kind of control is looked at: each width, theme and language once. */
export const looks = [
  { look: 'on a desk, light', width: 1440, height: 900, theme: 'light', language: 'en' },
  { look: 'on a small laptop, dark', width: 1024, height: 768, theme: 'dark', language: 'zh' },
  { look: 'on a phone, dark', width: 390, height: 844, theme: 'dark', language: 'ja' },
] as const

/**
 * What axe finds on a page that some people could not read or reach, a line for each rule.
 * @param within only this part of it, a selector
 * @param without rules that do not apply
 * @param also rules that axe leaves out by default
 */
export async function barriersOn(
  page: Page,
  { within, without = [], also = [] }: { within?: string; without?: string[]; also?: string[] } = {},
): Promise<string[]> {
  // Its other mode opens a window of its own, which puts this one to sleep. Only violations: describing each element
  // that passes takes longer than all the checks.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    rules: Object.fromEntries([
      ...without.map((rule) => [rule, { enabled: false }] as const),
      ...also.map((rule) => [rule, { enabled: true }] as const),
    ]),
  })
  const { violations } = await (within ? axe.include(within) : axe).analyze()
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
  )
}
