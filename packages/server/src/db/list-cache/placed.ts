/** Rows compared with a changed row at once; three rounds find its place among 250,000. */
const probes = 64
const mostRounds = 10

interface Bracket {
  /** The row belongs after `low` rows at least, and after `high` at most. */
  low: number
  high: number
}

/** Positions spread evenly over a bracket. */
function spread({ low, high }: Bracket): number[] {
  const count = Math.min(probes, high - low)
  return Array.from({ length: count }, (_, at) => low + Math.floor(((at + 0.5) * (high - low)) / count))
}

/** Up to this many rows are looked up one by one, which is native; asking about every row of the list is not. */
const fewChanged = 8

/** The rows that did not change, in their order. */
function unchanged(before: Uint32Array, changed: ReadonlySet<number>): Uint32Array {
  if (changed.size > fewChanged) return before.filter((row) => !changed.has(row))
  const gone = [...changed].map((row) => before.indexOf(row)).filter((at) => at >= 0)
  if (gone.length === 0) return before
  const rest = new Uint32Array(before.length - gone.length)
  let from = 0
  let to = 0
  for (const at of [...gone.sort((one, other) => one - other), before.length]) {
    rest.set(before.subarray(from, at), to)
    to += at - from
    from = at + 1
  }
  return rest
}

/**
 * An order of rows in which some rows changed. The database compares them, because only it knows its collations: each
 * round orders the changed rows among a few others, which narrows down where they belong.
 * @param ordering those of the given rows that belong to the list, in its order
 * @returns undefined when rows moved meanwhile
 */
export async function placed(
  before: Uint32Array,
  changed: ReadonlySet<number>,
  ordering: (rows: readonly number[]) => Promise<number[]>,
): Promise<Uint32Array | undefined> {
  if (changed.size === 0) return before
  const rest = unchanged(before, changed)
  // A search finds few of many rows: those that it did not find before, it rarely finds now.
  if (rest.length === before.length && (await ordering([...changed])).length === 0) return before
  let brackets = new Map<number, Bracket>([...changed].map((row) => [row, { low: 0, high: rest.length }]))
  for (let round = 0; round < mostRounds; round++) {
    const open = [...brackets.values()].filter(({ low, high }) => high > low)
    const asked = new Map<number, number>()
    for (const bracket of open) for (const position of spread(bracket)) asked.set(rest[position] ?? 0, position)
    const answer = await ordering([...brackets.keys(), ...asked.keys()])
    const narrowed = narrow(brackets, asked, answer)
    if (!narrowed) return undefined
    brackets = narrowed
    if ([...brackets.values()].every(({ low, high }) => low === high)) return merged(rest, brackets)
  }
  // The rows it was compared with have gone.
  return undefined
}

/** The brackets of the rows that are in the answer, in its order. */
function narrow(
  brackets: ReadonlyMap<number, Bracket>,
  asked: ReadonlyMap<number, number>,
  answer: readonly number[],
): Map<number, Bracket> | undefined {
  const found = new Map<number, Bracket>()
  let waiting: Bracket[] = []
  let last = -1
  for (const row of answer) {
    const position = asked.get(row)
    const bracket = brackets.get(row)
    if (bracket) {
      const own = { low: Math.max(bracket.low, last + 1), high: bracket.high }
      found.set(row, own)
      waiting.push(own)
    } else if (position !== undefined) {
      if (position <= last) return undefined
      last = position
      for (const own of waiting) own.high = Math.min(own.high, position)
      waiting = []
    }
  }
  return [...found.values()].every(({ low, high }) => low <= high) ? found : undefined
}

/** `brackets` are closed, and in the order of their rows. */
function merged(rest: Uint32Array, brackets: ReadonlyMap<number, Bracket>): Uint32Array {
  const all = new Uint32Array(rest.length + brackets.size)
  let taken = 0
  let at = 0
  for (const [row, { low }] of brackets) {
    all.set(rest.subarray(taken, low), at)
    at += low - taken
    taken = low
    all[at++] = row
  }
  all.set(rest.subarray(taken), at)
  return all
}
