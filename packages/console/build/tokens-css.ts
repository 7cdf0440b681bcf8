import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const source = fileURLToPath(new URL('../src/tokens.ts', import.meta.url))

/**
 * `virtual:tokens.css` contains the colors and sizes of tokens.ts as custom properties, light and dark, for pages that
 * must not load Ant Design.
 */
export function tokensCss(): Plugin {
  const id = 'virtual:tokens.css'
  return {
    name: 'castellan-tokens-css',
    resolveId: (wanted) => (wanted === id ? `\0${id}` : undefined),
    async load(wanted) {
      if (wanted !== `\0${id}`) return undefined
      this.addWatchFile(source)
      // Only the first lines import Ant Design; the variables do not need it.
      const text = (await readFile(source, 'utf8')).replace(/^import .*antd.*$/m, '')
      const cut = text.slice(0, text.indexOf('/** The Ant Design theme'))
      const { transformWithOxc } = await import('vite')
      const { code } = await transformWithOxc(cut, source)
      const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
        cssVariables: (mode: string, lang?: string) => Record<string, string>
      }
      const block = (mode: string, lang?: string) =>
        Object.entries(module.cssVariables(mode, lang))
          .map(([name, value]) => `${name}: ${value};`)
          .join('')
      return [
        `:root{color-scheme:light;${block('light')}}`,
        `:root[data-theme=dark]{color-scheme:dark;${block('dark')}}`,
        `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${block('dark')}}}`,
        ...['zh', 'ja'].map(
          (lang) =>
            `:root:lang(${lang}){${block('light', lang)
              .match(/--font-(ui|mono):[^;]*;/g)
              ?.join('')}}`,
        ),
      ].join('\n')
    },
  }
}
