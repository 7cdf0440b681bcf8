import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postcss from 'postcss'
import type { Plugin } from 'vite'

const components = join(dirname(fileURLToPath(import.meta.resolve('antd/package.json'))), 'es')

/** Components whose class prefix differs from their folder name. */
const classesOf: Record<string, string[]> = {
  calendar: ['picker-calendar'],
  cascader: ['cascader', 'select-cascader'],
  'auto-complete': ['select-auto-complete'],
  'date-picker': ['picker'],
  'time-picker': ['picker'],
  'float-button': ['float-btn'],
  'qr-code': ['qrcode'],
  'tree-select': ['tree-select', 'select-tree'],
  grid: ['row', 'col'],
}

const styled = readdirSync(components).filter((name) => existsSync(join(components, name, 'style', 'index.js')))

/** Length of the matched class prefix: 0 if the class belongs to none of them. */
const share = (name: string, classes: readonly string[]) =>
  Math.max(0, ...classes.filter((own) => name === own || name.startsWith(`${own}-`)).map(({ length }) => length))

/** The style sheet without rules of unused components and of right-to-left writing. */
export function purged(css: string, used: ReadonlySet<string>): string {
  const classes = (names: readonly string[]) => names.flatMap((name) => classesOf[name] ?? [name])
  const present = classes(styled.filter((name) => used.has(name)))
  const absent = classes(styled.filter((name) => !used.has(name)))
  const isNeeded = (selector: string) => {
    const [, name] = /^\.ant-([\w-]+)/.exec(selector) ?? []
    if (!name) return true
    return !selector.includes('-rtl') && share(name, present) >= share(name, absent)
  }
  const root = postcss.parse(css)
  root.walkRules((rule) => {
    if (rule.parent?.type === 'atrule' && 'name' in rule.parent && /keyframes$/.test(String(rule.parent.name))) return
    const needed = rule.selectors.filter(isNeeded)
    if (needed.length === 0) rule.remove()
    else if (needed.length < rule.selectors.length) rule.selectors = needed
  })
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0) rule.remove()
  })
  return root.toString()
}

/**
 * Ships Ant Design's rules as a style sheet (the theme's `zeroRuntime`). Generating them in the browser took a quarter
 * of the time to the first list. Ant Design's sheet contains all components; rules of components missing in the build
 * are removed.
 */
export function antdStyles(): Plugin {
  return {
    name: 'castellan-antd-styles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle)
      const used = new Set(
        chunks
          .flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []))
          .flatMap((id) => /[\\/]antd[\\/]es[\\/]([\w-]+)[\\/]style[\\/]/.exec(id)?.[1] ?? []),
      )
      for (const asset of chunks)
        if (asset.type === 'asset' && asset.fileName.endsWith('.css') && String(asset.source).includes('.ant-btn'))
          asset.source = purged(String(asset.source), used)
    },
  }
}
