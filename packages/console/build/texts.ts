import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const contract = fileURLToPath(new URL('../../contract/src/messages/', import.meta.url))
const prefix = 'virtual:texts/'

/**
 * `virtual:texts/<catalog>/<language>` is a catalog in one language, so that browsers do not load the others. The
 * module's default export maps each key to its text.
 */
export function texts(): Plugin {
  return {
    name: 'castellan-texts',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const [catalogue, language] = id.slice(prefix.length + 1).split('/') as [string, string]
      const file = `${contract}${catalogue}.ts`
      this.addWatchFile(file)
      const module = (await import(pathToFileURL(file).href)) as Record<string, Record<string, Record<string, string>>>
      const name = `${catalogue.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Messages`
      const messages = module[name]
      if (!messages) throw new Error(`${file} does not export ${name}`)
      const one = Object.fromEntries(Object.entries(messages).map(([key, message]) => [key, message[language]]))
      return `export default ${JSON.stringify(one)}`
    },
  }
}
