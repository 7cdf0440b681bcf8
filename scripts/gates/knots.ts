/** Modules that reach each other, directly or through others, counting imports of types. */
export type Graph = ReadonlyMap<string, readonly string[]>

/**
 * Knots that are known, each by the folder that holds all of it, with its number of modules; the numbers may only go
 * down. What is in them imports types of each other, never code: that is forbidden everywhere.
 */
const known: Readonly<Record<string, number>> = {
  'packages/gateway/src/brokering': 4,
  'packages/gateway/src/protocols/sftp': 2,
  'packages/server/src/kernel': 11,
}

/** Sets of modules of which each reaches each (Tarjan's strongly connected components), larger than one. */
export function knotsOf(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const onPath = new Set<string>()
  const knots: string[][] = []
  const visit = (module: string) => {
    order.set(module, order.size)
    lowest.set(module, order.get(module) ?? 0)
    path.push(module)
    onPath.add(module)
    for (const next of graph.get(module) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      if (onPath.has(next)) lowest.set(module, Math.min(lowest.get(module) ?? 0, lowest.get(next) ?? 0))
    }
    if (lowest.get(module) !== order.get(module)) return
    const knot = path.splice(path.indexOf(module))
    for (const one of knot) onPath.delete(one)
    if (knot.length > 1) knots.push(knot.sort())
  }
  for (const module of graph.keys()) if (!order.has(module)) visit(module)
  return knots
}

/** The deepest folder that holds all of these. */
function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split('/').slice(0, -1))
  const end = first.findIndex((part, at) => others.some((other) => other[at] !== part))
  return (end < 0 ? first : first.slice(0, end)).join('/')
}

/** What is wrong with the knots of a graph. @param allowed modules by folder */
export function knotProblems(graph: Graph, allowed = known): string[] {
  const knots = new Map(knotsOf(graph).map((knot) => [commonFolder(knot), knot]))
  const problems = [...knots].flatMap(([folder, knot]) => {
    const limit = allowed[folder] ?? 0
    if (knot.length > limit)
      return [`${folder}: ${knot.length} modules import each other's types (${limit} are known): ${knot.join(' ')}`]
    return knot.length < limit
      ? [`${folder}: the knot has ${knot.length} modules now, lower its number in knots.ts`]
      : []
  })
  const gone = Object.keys(allowed).filter((folder) => !knots.has(folder))
  return [...problems, ...gone.map((folder) => `${folder}: the knot is gone, remove it from knots.ts`)]
}
