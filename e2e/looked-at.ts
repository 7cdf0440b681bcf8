/** What a run looks at: the looks in which it opens each screen, and the screens and scenes it asks axe about. */
import { sample, seedOfThisRun } from '@castellan/testing/sample'
import type { Look } from './accessibility.ts'
import { type Scene, scenes } from './scenes.ts'
import { appOf, labelOf, type ScreenOfProduct, screens } from './screens.ts'

/** With each change axe sees a quarter of what it sees in all. */
const shares = 4

/**
 * The looks of a screen: all of them for one of each kind. The others are on a desk and on a phone by turns; every third
 * one is on a laptop, too, and there alone where a run takes samples.
 */
function placesOf(screen: ScreenOfProduct, seed: string | undefined): readonly Look['place'][] {
  if (screen.kind !== undefined) return ['desk', 'laptop', 'phone']
  const turn = screens.indexOf(screen)
  const usual = turn % 2 === 0 ? 'desk' : 'phone'
  if (turn % 3 !== 2) return [usual]
  return seed === undefined ? [usual, 'laptop'] : ['laptop']
}

/** The screens that a run opens in a look. */
export const screensIn = ({ place }: Pick<Look, 'place'>, seed = seedOfThisRun()): ScreenOfProduct[] =>
  screens.filter((screen) => placesOf(screen, seed).includes(place))

/** Whether a change touched the folder of the app that a screen belongs to. @param changed files of the repository */
export function isTouchedBy(changed: readonly string[]): (name: string) => boolean {
  const touched = new Set(
    changed.map((file) => /^packages\/console\/src\/(?:screens|domain)\/([^/]+)\//.exec(file)?.[1]),
  )
  return (name) => touched.has(appOf.get(name))
}

/** Whether axe is asked about a screen: one of each kind, what a change touched, and a share of the others. */
export function askedAbout(changed: readonly string[], seed = seedOfThisRun()): (screen: ScreenOfProduct) => boolean {
  const isTouched = isTouchedBy(changed)
  const always = (screen: ScreenOfProduct) => screen.kind !== undefined || isTouched(screen.name)
  const keyOf = (screen: ScreenOfProduct) => `${labelOf(screen)}?${screen.query ?? ''}`
  const others = screens.filter(({ kind }) => kind === undefined)
  const shared = new Set(sample(others, shares, keyOf, 'screens', seed))
  return (screen) => always(screen) || shared.has(screen)
}

/** The scenes that axe is asked about in a look: the kinds of them, and a share of the others. */
export function scenesIn({ place }: Pick<Look, 'place'>, seed = seedOfThisRun()): Scene[] {
  const others = scenes.filter(({ kind, looks }) => looks && !kind)
  const shared = new Set(sample(others, shares, ({ name }) => name, 'scenes', seed))
  return scenes.filter((scene) => scene.looks?.includes(place) && (scene.kind || shared.has(scene)))
}
