/**
 * Generates a migration for the declarations that the migrations do not cover yet: `npm run migration -- <slug>
 * [--tables <prefix>]`. Read it before you commit it, and state the reason in its first comment.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import type { TableShape } from './db/schema.ts'
import { declaredTables, schemaDifference } from './kernel/resource/schema.ts'
import { modules } from './modules.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tables: { type: 'string', default: '' } },
})
const slug = positionals[0]
if (!slug || !/^[a-z0-9-]+$/.test(slug))
  throw new Error('Give the migration a name: npm run migration -- add-user-groups')

const folder = mkdtempSync(join(tmpdir(), 'castellan-schema-'))
const database = await openDatabase({ dataDir: folder })
await migrate(database)
const declared = declaredTables(modules)
const difference = await schemaDifference(database, declared)
await database.close()
rmSync(folder, { recursive: true })

const wanted = (name: string) => name.startsWith(values.tables)
/** A value as the formatter writes it. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const told = Object.entries(value).filter(([, one]) => one !== undefined)
  return `{ ${told.map(([key, one]) => `${key}: ${literal(one)}`).join(', ')} }`
}

function table(shape: TableShape): string {
  const columns = Object.entries(shape.columns).map(([name, column]) => `        ${name}: ${literal(column)},`)
  return `    await createTable({
      name: '${shape.name}',
      columns: {
${columns.join('\n')}
      },
      primaryKey: ${literal(shape.primaryKey)},
      unique: ${literal(shape.unique)},
      indexes: ${literal(shape.indexes)},${shape.search ? `\n      search: ${literal(shape.search)},` : ''}
    })`
}

const steps = [
  ...difference.missingTables.filter(({ name }) => wanted(name)).map(table),
  ...difference.missingColumns
    .filter((missing) => wanted(missing.table))
    .map(({ table: name, column }) => {
      const shape = declared.find((one) => one.name === name)?.columns[column]
      const fill = shape?.nullable
        ? ''
        : `, ${shape?.type === 'boolean' ? 'false' : shape?.type === 'text' || shape?.type === 'json' ? "''" : '0'}`
      return `    await addColumn('${name}', '${column}', ${literal(shape)}${fill})`
    }),
  ...difference.missingIndexes
    .filter((missing) => wanted(missing.table))
    .map(({ table: name, columns, unique }) => `    await createIndex('${name}', ${literal(columns)}, ${unique})`),
  ...difference.missingSearch
    .filter((missing) => wanted(missing.table))
    .map(({ table: name, columns }) => `    await createSearchIndex('${name}', ${literal(columns)})`),
]
if (difference.surplus.length > 0) console.log(`No longer declared: ${difference.surplus.filter(wanted).join(', ')}`)
if (steps.length === 0) {
  console.log('The migrations cover all declarations.')
  process.exit()
}
const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
const name = `${stamp}-${slug}`
const used = ['createTable', 'addColumn', 'createIndex', 'createSearchIndex'].filter((tool) =>
  steps.some((step) => step.includes(`await ${tool}(`)),
)
const here = import.meta.dirname
writeFileSync(
  join(here, `db/migrations/${name}.ts`),
  `import type { Migration } from '../migration.ts'

/** Why: say it here. */
export const migration: Migration = {
  name: '${name}',
  async up({ ${used.join(', ')} }) {
${steps.join('\n')}
  },
}
`,
)
const index = join(here, 'db/migrations/index.ts')
const alias = `m${stamp}`
writeFileSync(
  index,
  readFileSync(index, 'utf8')
    .replace('\n\n/** Every', `\nimport { migration as ${alias} } from './${name}.ts'\n\n/** Every`)
    .replace(/\]\n$/, `  ${alias},\n]\n`),
)
console.log(`Wrote db/migrations/${name}.ts`)
