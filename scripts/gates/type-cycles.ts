/** The imports of each module, including imports of types. */
export type Graph = ReadonlyMap<string, readonly string[]>

/** Cycles: strongly connected components (Tarjan) of more than one module. */
export function typeCyclesOf(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const onPath = new Set<string>()
  const cycles: string[][] = []
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
    const cycle = path.splice(path.indexOf(module))
    for (const one of cycle) onPath.delete(one)
    if (cycle.length > 1) cycles.push(cycle.sort())
  }
  for (const module of graph.keys()) if (!order.has(module)) visit(module)
  return cycles
}

/** Findings for the cycles of a graph. */
export const typeCycleProblems = (graph: Graph): string[] =>
  typeCyclesOf(graph).map((cycle) => `these import each other, directly or through others: ${cycle.join(' ')}`)
