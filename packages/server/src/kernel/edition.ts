import type { Services } from './context.ts'

/**
 * Whether the extended edition's parts are there. Every installation issues itself a perpetual licence at its first
 * start (DESIGN §8), so they are; the licence module will decide here for those who remove it.
 */
export function extendedEdition(_services: Services): boolean {
  return true
}
