import { beforeAll, describe, expect, it } from 'vitest'
import { json, many, one, secret, text } from '../fields/index.ts'
import type { Context } from '../module/context.ts'
import { checkDeclarations } from './declaration-checks.ts'
import { findAll, insertRow, updateRow } from './repository.ts'
import { defineResource, type Row, resourceOf } from './resource.ts'

/** Never called: the compiler is what is tested. */
export async function typed(ctx: Context): Promise<(string | number)[]> {
  const bird = defineResource({
    app: 'zoo',
    name: 'bird',
    path: 'birds',
    scope: 'global',
    fields: { name: text({ required: true }), keeper: one('users.user'), ring: secret() },
    columns: { facts: json<{ wingspan: number }>() },
    search: ['name'],
    hooks: {
      validate(_ctx, changes, problem) {
        for (const { row, values, index } of changes) {
          // @ts-expect-error: a column that the declaration does not have
          if (row.nmae === '') continue
          // @ts-expect-error: a field that the declaration does not have
          if (values.nmae === '') continue
          // @ts-expect-error: a field that the declaration does not have
          problem(index, 'nmae', [])
          if (row.facts.wingspan < 0 && row.keeper_id !== '') problem(index, 'name', [])
        }
      },
    },
  })
  const [first] = await findAll(ctx, bird)
  const made: Row<typeof bird> = await insertRow(ctx, bird, { name: 'Emu', ring: 'a text is sealed when it is stored' })
  // @ts-expect-error: a value of another type
  await insertRow(ctx, bird, { name: 1 })
  // @ts-expect-error: a column that the declaration does not have
  await updateRow(ctx, bird, made.id, { nmae: 'Emu' })
  // @ts-expect-error: a secret is opened by the vault only
  const opened: string | null = made.ring
  // @ts-expect-error: a column that the declaration does not have
  return [first?.name ?? '', made.facts.wingspan, opened ?? '', made.keeper]
}

const declared = { app: 'zoo', scope: 'global' } as const
const fields = { name: text() }

/** Each option that names what is declared elsewhere, misspelt. */
export const misspelt = [
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'one', path: 'one', fields, search: ['nmae'] }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'two', path: 'two', fields, defaultOrder: ['-nmae'] }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'three', path: 'three', fields, orderable: ['nmae'] }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'four', path: 'four', fields, mini: ['nmae'] }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'five', path: 'five', fields, small: ['nmae'] }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'order', path: 'order', fields, fieldOrder: ['nmae'] }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'facts', path: 'facts', fields, described: { nmae: {} } }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'six', path: 'six', fields, unique: [['nmae']] }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'seven', path: 'seven', fields, indexes: [['nmae']] }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'eight', path: 'eight', fields, dateRange: 'date_creatd' }),
  // @ts-expect-error: the name is misspelt
  () => defineResource({ ...declared, name: 'nine', path: 'nine', fields, conflictsUnder: 'nmae' }),
]

const refused = (resource: Parameters<typeof checkDeclarations>[0][number]) => {
  try {
    checkDeclarations([resource])
  } catch (error) {
    return String((error as Error).message).split('\n')
  }
  return []
}

// Relations lead to resources of other modules.
beforeAll(() => import('../../modules.ts'))

describe('what a declaration names', () => {
  it('must exist when the server starts, where the compiler does not know it', () => {
    const wrong = resourceOf({
      ...declared,
      name: 'assembled',
      path: 'assembled',
      fields: { name: text(), keeper: one('users.user') },
      mini: ['id', 'nmae'],
      small: ['smal'],
      fieldOrder: ['nmea'],
      described: { kepeer: {} },
      search: ['serach', 'k.name'],
      orderable: ['odrer'],
      defaultOrder: ['-date_creatd', 'keeper'],
      unique: [['name', 'org_id']],
      indexes: [['keeper_id'], ['keeper']],
      dateRange: 'date_updated',
      dailyCounts: { column: 'date_start', unit: 1 },
      conflictsUnder: 'nme',
    })
    expect(refused(wrong)).toEqual(
      [
        'mini names nmae',
        'small names smal',
        'fieldOrder names nmea',
        'described names kepeer',
        'orderable names odrer',
        'defaultOrder names date_creatd',
        'search names serach',
        'unique names org_id',
        'indexes names keeper',
        'dailyCounts names date_start',
        'conflictsUnder names nme',
      ].map((problem) => `zoo.assembled (assembled): ${problem}, which does not exist.`),
    )
  })

  it('leads to resources that exist: a misspelt relation keeps the server from starting', () => {
    const lost = resourceOf({
      ...declared,
      name: 'lost',
      path: 'lost',
      fields: {
        birds: many('zoo.brid', { through: 'zoo_lost_birds', from: 'lost_id', to: 'bird_id' }),
        keeper: one('users.usr'),
      },
      columns: { cage: one('zoo.caeg', { nullable: true }) },
    })
    expect(refused(lost).sort()).toEqual([
      'zoo.lost (lost): birds leads to zoo.brid, which does not exist.',
      'zoo.lost (lost): cage leads to zoo.caeg, which does not exist.',
      'zoo.lost (lost): keeper leads to users.usr, which does not exist.',
    ])
  })
})
