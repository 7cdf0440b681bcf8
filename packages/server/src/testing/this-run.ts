import { partPath } from '@castellan/testing/detect'
import { sample, seedOfThisRun } from '@castellan/testing/sample'
import type { Resource } from '../kernel/resource/resource.ts'
import { type DatabaseKind, databaseOfThisRun } from './databases.ts'
import { manner, resourceCases } from './resources.ts'
import { samples } from './samples.ts'

/** What a run has of the tests that one database decides, and of those that many collections repeat. */

/**
 * Defines a test that the other database would only repeat: with a seed in the project of one database, without a seed
 * in both. Without PostgreSQL on the machine, SQLite has its tests as well.
 * Where a file runs on PostgreSQL by sample only (scripts/tests/projects.ts), its tests are for SQLite.
 * @param has what else the test depends on, as with `manner`
 */
export function onceOn(kind: DatabaseKind, has: unknown = true) {
  const isHere = kind === databaseOfThisRun() || !partPath('postgresql')
  return manner(has && (seedOfThisRun() === undefined || isHere))
}

/** Declarations with tables of their own that one function makes. */
const families: Readonly<Record<string, RegExp>> = {
  automations: /^accounts\/(gather-account|change-secret|push-account)-automations$/,
  executions: /^accounts\/(gather-account|change-secret|push-account)-executions$/,
  'relations of permissions': /^perms\/asset-permissions-.*-relations$/,
}
const familyOf = (address: string, { table }: Resource) =>
  Object.keys(families).find((name) => families[name]?.test(address)) ?? table

/** How much of a resource the common tests can see. */
const substance = (address: string, { verbs, fields }: Resource) =>
  (samples[address] ? 1000 : 0) + 10 * (verbs?.length ?? 0) + Object.keys(fields).length

/** The collections of every family, beginning with the one of which the common tests see most. */
const byFamily = [...Map.groupBy(resourceCases, ([address, resource]) => familyOf(address, resource)).values()].map(
  (cases) => cases.toSorted(([...a], [...b]) => substance(...b) - substance(...a)),
)
const chosen = new Set([
  ...byFamily.map(([first]) => first),
  ...sample(
    byFamily.flatMap(([, ...others]) => others),
    4,
    ([address]) => address,
    databaseOfThisRun(),
  ),
])

/**
 * The collections that the common tests of this run take: with a seed one of every table, and a quarter of the others,
 * which are not the same on both databases; without a seed all of them.
 */
export const casesOfThisRun = resourceCases.filter((one) => chosen.has(one))

/**
 * The numbers of the commits around which this run kills a worker, from 1 without an end: with a seed every third one.
 * @param about the loop they are for: decides, with the seed, with which one it begins
 */
export function* commitsOfThisRun(about: string): Generator<number, never> {
  const places = ['0', '1', '2']
  const chosen = sample(places, places.length, (place) => place, about).map(Number)
  for (let commit = 1; ; commit++) if (chosen.includes(commit % places.length)) yield commit
}
