import { basename } from 'node:path'
import type { Rolldown } from 'vite'

type Group = Rolldown.CodeSplittingGroup
type Context = Parameters<Extract<Group['name'], (...words: never[]) => unknown>>[1]

/** Which of some modules need this one at once, directly or by others, as one word: `form-list`. */
const neededBy = (roots: RegExp) => (id: string, context: Context) => {
  const importers = new Set([id])
  // Grows while it is gone through; those that fetch a module later are no importers of it.
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

/** These stay apart: whoever shared a file with one would start its page too. */
const starters = /\.html$|[\\/]main\.tsx$/

/** What asks the server before anything else is evaluated, and the little it stands on. */
const early = /[\\/]src[\\/]kit[\\/]api[\\/]early\.ts$/
const opening =
  /[\\/]src[\\/]kit[\\/]api[\\/](?:cookies|headers|opening)\.ts$|[\\/]src[\\/]kit[\\/]languages\.ts$|[\\/]contract[\\/]src[\\/](?:ids|messages)\.ts$/

/**
 * What is needed together is one file. Left to itself the bundler makes one for each set of screens that share a module:
 * some fifty for the first list, of which a browser fetches six at once. What only the sign-in page or the terminal needs
 * at once it may cut as it likes.
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
    test: /[\\/]src[\\/]kit[\\/]/,
    includeDependenciesRecursively: false,
  },
]
