import { seedVariable } from '@castellan/testing/sample'
import { expect, it, onTestFinished, vi } from 'vitest'
import { looks } from './accessibility.ts'
import { askedAbout, scenesIn, screensIn } from './looked-at.ts'
import { scenes } from './scenes.ts'
import { screens } from './screens.ts'

const seeds = Array.from({ length: 24 }, (_, at) => `seed ${at}`)

it('every run opens each screen, one of each kind in all looks, and each look has its share', () => {
  for (const seed of seeds) {
    const opened = looks.map((look) => screensIn(look, seed))
    expect(new Set(opened.flat())).toEqual(new Set(screens))
    for (const [at, list] of opened.entries()) {
      expect(list.length, looks[at]?.look).toBeGreaterThan(screens.length / 4)
      expect(list.filter(({ kind }) => kind)).toEqual(screens.filter(({ kind }) => kind))
    }
  }
})

it('axe is asked about a quarter of the screens, all of them by a few seeds, and always about those of a changed app', () => {
  const others = screens.filter(({ kind }) => kind === undefined)
  const asked = seeds.map((seed) => others.filter(askedAbout([], seed)))
  for (const list of asked) expect(list.length).toBeLessThanOrEqual(Math.ceil(others.length / 4))
  expect(new Set(asked.flat())).toEqual(new Set(others))
  const changed = ['packages/console/src/screens/cloud/tasks.tsx', 'packages/console/src/kit/list/ListBody.tsx']
  for (const seed of seeds)
    expect(screens.filter(askedAbout(changed, seed)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['CloudCenter', 'SyncInstanceTaskCreate', 'AdminDashboard']),
    )
})

it('the whole run sees all that a sample could', () => {
  vi.stubEnv(seedVariable, undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(screens.filter(askedAbout([]))).toEqual(screens)
  for (const look of looks) {
    const all = { screens: new Set(screensIn(look)), scenes: new Set(scenesIn(look)) }
    for (const seed of seeds) {
      for (const screen of screensIn(look, seed)) expect(all.screens).toContain(screen)
      for (const scene of scenesIn(look, seed)) expect(all.scenes).toContain(scene)
    }
  }
  const seen = new Set(looks.flatMap((look) => seeds.flatMap((seed) => scenesIn(look, seed))))
  expect(seen).toEqual(new Set(scenes.filter((scene) => scene.looks)))
})
