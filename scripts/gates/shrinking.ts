import type { Repository } from './gate.ts'

/** What is still to be mended, by gate: how often each thing occurs. It may only shrink. */
export const knownPlaces = 'scripts/gates/known-places.json'

type Known = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * Compares what a gate found with what is known. More than the known number is a problem, and so is less, so that the
 * list shrinks with the code.
 */
export function shrinking(
  repository: Repository,
  gate: string,
  found: readonly string[],
  advice: (what: string) => string,
): string[] {
  const known = (JSON.parse(repository.read(knownPlaces) || '{}') as Known)[gate] ?? {}
  const counts = new Map<string, number>()
  for (const what of found) counts.set(what, (counts.get(what) ?? 0) + 1)
  return [...new Set([...counts.keys(), ...Object.keys(known)])].sort().flatMap((what) => {
    const [now, before] = [counts.get(what) ?? 0, known[what] ?? 0]
    if (now > before) return [`${advice(what)} (${now}, known: ${before})`]
    if (now < before) return [`${knownPlaces}: ${gate}, ${what} is ${now} now; write that instead of ${before}`]
    return []
  })
}
