import { type Gate, isGenerated, isSource, isTest, type Repository } from './gate.ts'

/** Minimum number of equal consecutive tokens and lines of a duplicate block. */
const tokens = 120
const lines = 10

/** Known blocks, as `file file`; the list may only shrink. */
const knownPairs: readonly string[] = []

interface Token {
  text: string
  line: number
}

/**
 * Splits into words, numbers, texts and punctuation. Comments and imports are skipped: equal imports are not
 * duplication. Texts are compared by value: tables of data with the same shape are not copies.
 */
export function tokensOf(source: string): Token[] {
  const found: Token[] = []
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|^(?:import|export)\b[^'"]*?from\s*['"][^'"]*['"]|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gmu
  let line = 1
  let before = 0
  for (const match of source.matchAll(pattern)) {
    const text = match[0]
    for (let at = before; at < match.index; at++) if (source.charCodeAt(at) === 10) line++
    before = match.index
    if (/^(\/\/|\/\*|import\b|export\b.*from)/.test(text)) continue
    found.push({ text, line })
  }
  return found
}

/** Rolling hashes of all runs of `tokens` tokens. */
function runHashes(list: readonly number[]): number[] {
  const modulus = 67_108_859
  const base = 1_000_003
  let leading = 1
  for (let at = 1; at < tokens; at++) leading = (leading * base) % modulus
  const hashes: number[] = []
  let hash = 0
  for (let at = 0; at < list.length; at++) {
    const leaving = at >= tokens ? ((list[at - tokens] ?? 0) * leading) % modulus : 0
    hash = (((hash - leaving + modulus) % modulus) * base + (list[at] ?? 0)) % modulus
    if (at >= tokens - 1) hashes.push(hash)
  }
  return hashes
}

interface Place {
  file: string
  at: number
}

/** Duplicate blocks, the longest for each pair of files. */
export function duplicates(repository: Repository, files: readonly string[]): { pair: string; message: string }[] {
  const numbers = new Map<string, number>()
  const numberOf = (text: string) => {
    const known = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, known)
    return known
  }
  const all = new Map(files.map((file) => [file, tokensOf(repository.read(file))]))
  const seen = new Map<number, Place>()
  const longest = new Map<string, { length: number; message: string }>()
  for (const [file, list] of all) {
    let skipTo = 0
    for (const [at, hash] of runHashes(list.map((token) => numberOf(token.text))).entries()) {
      const first = seen.get(hash)
      if (!first) seen.set(hash, { file, at })
      if (!first || at < skipTo) continue
      const other = all.get(first.file) ?? []
      let length = 0
      while (list[at + length] && list[at + length]?.text === other[first.at + length]?.text) length++
      const [from, to] = [list[at]?.line ?? 0, list[at + length - 1]?.line ?? 0]
      // Hash collisions, short runs, and a run that overlaps itself are not reported.
      if (length < tokens || to - from + 1 < lines || (first.file === file && at < first.at + length)) continue
      skipTo = at + length
      const pair = [first.file, file].sort().join(' ')
      if ((longest.get(pair)?.length ?? 0) >= length) continue
      const message = `${file}:${from}-${to} stands in ${first.file}:${other[first.at]?.line} too (${length} tokens)`
      longest.set(pair, { length, message })
    }
  }
  return [...longest].map(([pair, { message }]) => ({ pair, message }))
}

export const noDuplicates: Gate = {
  name: 'no block of code is duplicated',
  run(repository) {
    // Catalogs and migrations are lists by nature; tests may repeat code.
    const files = repository.files.filter(
      (file) =>
        isSource(file) && !isTest(file) && !isGenerated(file) && !/\/(messages|migrations|catalogue)\//.test(file),
    )
    const found = duplicates(repository, files)
    const gone = knownPairs.filter((pair) => !found.some((one) => one.pair === pair))
    return [
      ...found.filter(({ pair }) => !knownPairs.includes(pair)).map(({ message }) => message),
      ...gone.map((pair) => `${pair}: no longer alike, remove the pair from the known ones`),
    ]
  },
}
