import { basename } from 'node:path'
import type { Rolldown } from 'vite'

type Group = Rolldown.CodeSplittingGroup
type Context = Parameters<Extract<Group['name'], (...words: never[]) => unknown>>[1]

/** The entries that statically import a module, directly or indirectly, as one word: `form-list`. */
const neededBy = (roots: RegExp) => (id: string, context: Context) => {
  const importers = new Set([id])
  // The set grows during iteration. Dynamic importers are not included.
  for (const one of importers)
    for (const importer of context.getModuleInfo(one)?.importers ?? []) importers.add(importer)
  return [...importers]
    .filter((one) => roots.test(one))
    .map((one) => basename(one).replace(/\.\w+$/, ''))
    .sort()
    .join('-')
}

const byPage = neededBy(/\/(?:index|signin|terminal)\.html$/)
const byKitPage = neededBy(/\/src\/kit\/pages\/\w+\.tsx$/)

/** Modules with separate chunks: sharing a file with an entry would also start its page. */
const starters = /\.html$|[\\/]main\.tsx$/

/** The module that sends the first requests, and its dependencies. */
const early = /[\\/]src[\\/]kit[\\/]api[\\/]early\.ts$/
const opening =
  /[\\/]src[\\/]kit[\\/]api[\\/](?:headers|opening)\.ts$|[\\/]src[\\/]browser[\\/](?:cookies|languages)\.ts$|[\\/]contract[\\/]src[\\/](?:ids|messages)\.ts$/

/**
 * Groups modules needed together into one chunk. By default, the bundler creates one per set of screens that share a
 * module: about fifty for the first list, of which a browser loads six at once. Chunks used only by the sign-in page or
 * the terminal are left to the bundler.
 */
export const chunkGroups: Group[] = [
  { name: 'early', test: early, includeDependenciesRecursively: false, priority: 2 },
  { name: 'opening', test: opening, includeDependenciesRecursively: false, priority: 2 },
  {
    name: (id, context) => {
      const pages = byPage(id, context)
      return pages.startsWith('index') && !starters.test(id) ? `shared-${pages}` : null
    },
    tags: ['$initial'],
    includeDependenciesRecursively: false,
  },
  { name: 'icons', test: /[\\/]lucide-react[\\/]/, includeDependenciesRecursively: false },
  {
    name: (id, context) => {
      const pages = byKitPage(id, context)
      return pages === '' || byPage(id, context) !== '' ? null : `kit-${pages}`
    },
    test: /[\\/]src[\\/](?:kit|browser|ant-design)[\\/]/,
    includeDependenciesRecursively: false,
  },
]
