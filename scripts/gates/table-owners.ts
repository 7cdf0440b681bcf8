import { type Gate, isTest, type Repository } from './gate.ts'
import { shrinking } from './shrinking.ts'

const moduleOf = (file: string) => /^packages\/server\/src\/modules\/([^/]+)\//.exec(file)?.[1]

const sources = ({ files }: Repository) =>
  files.filter((file) => moduleOf(file) && file.endsWith('.ts') && !isTest(file))

/** Tables by the module whose resources, relations and table declarations make them. */
export function tableOwners(repository: Repository): Map<string, string> {
  const owners = new Map<string, string>()
  // Resources first: a relation's field may name the table of its target, too.
  const declarations = [
    (text: string) =>
      [...text.matchAll(/\bapp: '([a-z]+)',\s*name: '([a-z]+)'/g)].map(([, app, name]) => `${app}_${name}`),
    (text: string) => [...text.matchAll(/\bname: '([a-z]+_[a-z_]+)',\s*columns:/g)].map(([, table = '']) => table),
    (text: string) => [...text.matchAll(/\bthrough: '([a-z]+_[a-z_]+)'/g)].map(([, table = '']) => table),
  ]
  for (const declared of declarations)
    for (const file of sources(repository))
      for (const table of declared(repository.read(file)))
        if (!owners.has(table)) owners.set(table, moduleOf(file) ?? '')
  return owners
}

const imports = /import (?:type )?\{([^}]*)\} from '(?:\.\.\/)+([a-z-]+)\/index\.ts'/g

/** Resources of other modules that a file imports, by the name they have in it. */
function foreignResources(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, names = '', from = ''] of text.matchAll(imports))
    for (const name of names.split(',')) {
      const [, local = ''] = /^\s*(?:\w+ as )?(\w+)\s*$/.exec(name) ?? []
      if (local) found.set(local, from)
    }
  return found
}

/** Where modules name tables of others, as `module table`, once for each place. */
export function foreignTables(repository: Repository): string[] {
  const owners = tableOwners(repository)
  return sources(repository).flatMap((file) => {
    const own = moduleOf(file) ?? ''
    const text = repository.read(file)
    const named = [...text.matchAll(/'([a-z]+_[a-z_]+)(?: as \w+)?'/g)].flatMap(([, table = '']) => {
      const owner = owners.get(table)
      return owner && owner !== own ? [`${own} ${table}`] : []
    })
    const foreign = foreignResources(text)
    const byResource = [...text.matchAll(/\b(\w+)\.table\b/g)].flatMap(([, name = '']) => {
      const owner = foreign.get(name)
      return owner && owner !== own ? [`${own} ${owner}.${name}`] : []
    })
    return [...named, ...byResource]
  })
}

export const tablesHaveOwners: Gate = {
  name: 'modules name no table of another one beyond the known places',
  run: (repository) =>
    shrinking(
      repository,
      'foreign-tables',
      foreignTables(repository),
      (what) => `${what}: ask a function of the module that owns the table`,
    ),
}
