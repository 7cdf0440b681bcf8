// Pictures of one screen of each kind: `npm run shots -- [--all] [--lang en,zh,ja] [--width 1440,390] [--theme light,dark] [--only UserList]`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Language, openWindow, signInByPage, startBrowser } from '@castellan/testing/browser'
import { addressOf, confirmOnce, screens, startFilledProduct } from './screens.ts'

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
const wanted = screens.filter(({ name, kind }) =>
  values.only ? values.only.split(',').includes(name) : values.all || kind !== undefined,
)
const heights: Readonly<Record<string, number>> = { 390: 844, 1024: 768 }

mkdirSync(values.out, { recursive: true })
const { product, client } = await startFilledProduct()
const browser = await startBrowser()
try {
  for (const language of values.lang.split(',') as Language[]) {
    for (const width of values.width.split(',')) {
      const window = await openWindow(browser, { language, width: Number(width), height: heights[width] ?? 900 })
      await signInByPage(window.page, product.url, 'admin', product.adminPassword)
      await confirmOnce(window.page, product.adminPassword)
      for (const theme of values.theme.split(',')) {
        await window.page.evaluate((chosen) => localStorage.setItem('theme', chosen), theme)
        for (const screen of wanted) {
          await window.page.goto(`${product.url}/ui/#${await addressOf(client, screen)}`)
          await window.page.reload()
          await window.page.waitForLoadState('networkidle')
          const name = `${screen.name}-${width}-${language}-${theme}.png`
          await window.page.screenshot({ path: join(values.out, name) })
          console.log(name)
        }
      }
      for (const fault of window.faults) console.log(`  fault: ${fault}`)
      await window.context.close()
    }
  }
} finally {
  await browser.close()
  await product.stop()
}
