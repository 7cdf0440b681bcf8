// Pictures of one screen of each kind, and of dialogs, menus and states: `npm run shots -- [--all] [--lang en,zh,ja] [--width 1440,390] [--theme light,dark] [--only UserList,import-failed]`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Language, openWindow, signInByPage, startBrowser } from '@castellan/testing/browser'
import type { Page } from 'playwright-core'
import { startFilledProduct } from './filled-product.ts'
import { leave, type Scene, Stage, scenes } from './scenes.ts'
import { addressOf, confirmOnce, labelOf, screens } from './screens.ts'

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    lang: { type: 'string', default: 'en,zh,ja' },
    width: { type: 'string', default: '1440,390' },
    theme: { type: 'string', default: 'light,dark' },
    out: { type: 'string', default: 'shots' },
  },
})
const only = values.only?.split(',')
const known = [...screens.map(labelOf), ...scenes.map(({ name }) => name)]
const unknown = only?.filter((name) => !known.includes(name)) ?? []
if (unknown.length > 0) {
  console.error(`Nothing is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  process.exit(2)
}
const wanted = screens.filter((screen) =>
  only ? only.includes(labelOf(screen)) : values.all || screen.kind !== undefined,
)
const staged = (width: number) =>
  scenes.filter(({ name, desk }) => (only ? only.includes(name) : true) && (width >= 700 || !desk))
const heights: Readonly<Record<string, number>> = { 390: 844, 1024: 768 }

async function keep(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(values.out, name) })
  console.log(name)
}

/** One that cannot be shown is named, and the others still are. */
async function show(stage: Stage, scene: Scene, name: string): Promise<void> {
  try {
    await scene.show(stage)
  } catch (reason) {
    console.log(`  not shown: ${scene.name}: ${String(reason).split('\n')[0]}`)
  }
  // What has just opened may still be on its way in.
  await stage.page.waitForTimeout(300)
  await keep(stage.page, `${name}.png`)
  await leave(stage, scene)
}

mkdirSync(values.out, { recursive: true })
const { product, client } = await startFilledProduct()
const browser = await startBrowser()
try {
  for (const language of values.lang.split(',') as Language[]) {
    for (const width of values.width.split(',')) {
      const window = await openWindow(browser, { language, width: Number(width), height: heights[width] ?? 900 })
      // A form that a scene has filled in asks before it is left.
      window.page.on('dialog', (dialog) => void dialog.accept())
      await signInByPage(window.page, product.url, 'admin', product.adminPassword)
      await confirmOnce(window.page, product.url, product.adminPassword)
      for (const theme of values.theme.split(',')) {
        await window.page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
        for (const screen of wanted) {
          await window.page.goto(`${product.url}/ui/#${await addressOf(client, screen)}`)
          await window.page.reload()
          await window.page.waitForLoadState('networkidle')
          await keep(window.page, `${labelOf(screen)}-${width}-${language}-${theme}.png`)
        }
        const stage = new Stage(window.page, product.url, language)
        for (const scene of staged(Number(width)))
          await show(stage, scene, `${scene.name}-${width}-${language}-${theme}`)
      }
      for (const fault of window.faults) console.log(`  fault: ${fault}`)
      await window.context.close()
    }
  }
} finally {
  await browser.close()
  await product.stop()
}
