import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postcss from 'postcss'
import type { Plugin } from 'vite'

const components = join(dirname(fileURLToPath(import.meta.resolve('antd/package.json'))), 'es')

/** Where a component's classes are not called like its folder. */
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

/** How much of a class's name is one of those: 0 when it is none of them, and no part of theirs. */
const share = (name: string, classes: readonly string[]) =>
  Math.max(0, ...classes.filter((own) => name === own || name.startsWith(`${own}-`)).map(({ length }) => length))

/** The style sheet without what belongs to components that are not there, and to writing from the right. */
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
 * Ant Design's rules come as a style sheet (the theme's `zeroRuntime`) instead of being made in the browser, which took a
 * quarter of the time to the first list. Its sheet is made for all components: what the build holds none of is left out.
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
