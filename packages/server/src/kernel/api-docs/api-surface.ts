import type { Route } from '../http/route.ts'
import type { Resource } from '../resource/resource.ts'

/**
 * The facts API clients rely on, one per line: every operation with its required permission, every field of a resource
 * with its type. Recorded in `api-surface.txt`, so that a change shows up in review.
 */
export function apiSurface(routes: readonly Route[], resources: Iterable<Resource>): string[] {
  const operations = routes
    .filter(({ path }) => path.startsWith('/api/'))
    .flatMap((route) =>
      [route.method].flat().map((method) => {
        const who = route.componentsOnly ? ' as a component' : ''
        const needs = `${[route.requires].flat().join(' and ')}${who}`
        return `${method} ${route.path} needs ${needs}${route.confirm ? ` and a confirmation (${route.confirm})` : ''}`
      }),
    )
  const fields = [...new Set(resources)].flatMap((resource) =>
    Object.entries(resource.fields).map(([name, field]) => {
      const facts = [
        field.type,
        field.required && !field.readOnly ? 'required' : '',
        field.readOnly ? 'read only' : '',
        field.writeOnly ? 'write only' : '',
        field.nullable ? 'or null' : '',
      ]
      return `${resource.url} ${name}: ${facts.filter(Boolean).join(', ')}`
    }),
  )
  return [...new Set([...operations, ...fields])].sort()
}

/** The subject of a line: the operation or field without its type or requirement. */
const subjectOf = (line: string) => line.replace(/( needs |: ).*$/, '')

/** Compares a surface with the recorded one: breaking changes and additions. */
export function surfaceChanges(
  kept: readonly string[],
  now: readonly string[],
): { breaking: string[]; added: string[] } {
  const before = new Map(kept.map((line) => [subjectOf(line), line]))
  const after = new Map(now.map((line) => [subjectOf(line), line]))
  const breaking: string[] = []
  const added: string[] = []
  for (const [subject, line] of before) {
    const other = after.get(subject)
    if (other === undefined) breaking.push(`gone: ${line}`)
    else if (other !== line) breaking.push(`changed: ${line} → ${other}`)
  }
  for (const [subject, line] of after)
    if (!before.has(subject))
      (/: .*\brequired\b/.test(line) && sameCollection(line, before) ? breaking : added).push(`new: ${line}`)
  return { breaking, added }
}

/**
 * Whether a field belongs to a collection that existed before: a new required field breaks clients that do not send it.
 */
const sameCollection = (line: string, before: ReadonlyMap<string, string>) =>
  [...before.keys()].some((subject) => subject.startsWith(`${line.split(' ')[0]} `))
