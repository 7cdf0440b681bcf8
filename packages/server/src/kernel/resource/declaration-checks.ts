import type { ManyField } from '../fields/field.ts'
import { hasResource, type Resource } from './resource.ts'

/** Where an error is reported that belongs to no field. */
const noField = 'non_field_errors'

const withoutSign = (name: string) => name.replace(/^-/, '')

/** What a declaration names that does not exist: fields, columns and other resources. One sentence for each. */
function misspelt(resource: Resource): string[] {
  const fields = new Set(Object.keys(resource.fields))
  const columns = new Set(Object.keys(resource.shape.columns))
  const isOrderable = (name: string) => columns.has(resource.columnOf(name)) || columns.has(name)
  const wrong = (option: string, names: readonly string[] | undefined, isKnown: (name: string) => boolean) =>
    (names ?? []).filter((name) => !isKnown(name)).map((name) => `${option} names ${name}`)
  const isField = (name: string) => fields.has(name)
  const isColumn = (name: string) => columns.has(name)
  return [
    ...wrong('mini', resource.mini, isField),
    ...wrong('small', resource.small, isField),
    ...wrong('suggestions', resource.suggestions?.fields, isField),
    ...wrong('fieldOrder', resource.fieldOrder === 'declared' ? [] : resource.fieldOrder, isField),
    ...wrong('described', Object.keys(resource.described ?? {}), isField),
    ...wrong('orderable', resource.orderable, isOrderable),
    ...wrong('defaultOrder', resource.defaultOrder?.map(withoutSign), isOrderable),
    // A name with a dot is a column of a joined table.
    ...wrong('search', resource.search, (name) => name.includes('.') || isOrderable(name)),
    ...wrong('unique', resource.unique?.flat(), isColumn),
    ...wrong('indexes', resource.indexes?.flat(), isColumn),
    ...wrong('dateRange', resource.dateRange ? [resource.dateRange] : [], isOrderable),
    ...wrong('dailyCounts', resource.dailyCounts ? [resource.dailyCounts.column] : [], isColumn),
    ...wrong('conflictsUnder', resource.conflictsUnder ? [resource.conflictsUnder] : [], (name) =>
      [noField, ...fields].includes(name),
    ),
    ...wrong('shares', resource.shares ? [resource.shares] : [], hasResource),
  ]
}

/** The resources that the relations of a declaration lead to, by field. */
const targetsOf = (resource: Resource): [string, string][] =>
  Object.entries({ ...resource.columns, ...resource.fields }).flatMap(([name, field]): [string, string][] => {
    const target = (field as Partial<ManyField>).join?.target ?? (field.isRef ? field.column?.references : undefined)
    return target ? [[name, target]] : []
  })

/**
 * Checks the names in declarations that the compiler cannot know: targets of relations, which are text so that
 * declarations need not import each other, and the options of declarations whose fields are put together by code.
 * Throws one error that names all of them.
 */
export function checkDeclarations(resources: readonly Resource[]): void {
  const problems = resources.flatMap((resource) => {
    const lost = targetsOf(resource).filter(([, target]) => !hasResource(target))
    const all = [
      ...lost.map(([field, target]) => `${field} leads to ${target}`),
      ...(lost.length ? [] : misspelt(resource)),
    ]
    return all.map((problem) => `${resource.key} (${resource.path}): ${problem}, which does not exist.`)
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
