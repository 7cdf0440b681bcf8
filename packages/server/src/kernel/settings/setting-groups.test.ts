import { settingsMessages } from '@castellan/contract/messages/settings'
import { describe, expect, expectTypeOf, it } from 'vitest'
import '../../modules.ts'
import { boolean, integer, nullable, rawChoice, secret, text } from '../fields/index.ts'
import type { Context } from '../module/context.ts'
import { Rejected } from '../module/errors.ts'
import type { Sealed } from '../security/secrets.ts'
import { defineSettings, SettingCatalogue, settingCatalogue } from './setting-groups.ts'
import { Settings } from './settings.ts'

const place = { category: 'sample', permission: 'settings.change_other' } as const
const sample = () =>
  defineSettings({
    ...place,
    fields: {
      SAMPLE_ON: boolean({ default: true }),
      SAMPLE_COUNT: integer({ default: 3, min: 1 }),
      SAMPLE_PAUSE: nullable(integer({ default: null })),
      SAMPLE_LEVEL: rawChoice({ 1: { en: '1', zh: '1', ja: '1' } }, { default: 1, numeric: true }),
      SAMPLE_KEY: secret(),
    },
    public: ['SAMPLE_ON'],
  })

describe('a group of settings', () => {
  it('gives each value the type of its field, and knows no other names', () => {
    const group = sample()
    // Neither a database nor a vault is needed for what stands in the environment.
    const settings = new Settings({} as never, {} as never)
    settings.declare(group.own, { SAMPLE_COUNT: '7' })
    const values = group.of({ settings })
    expectTypeOf(values).toEqualTypeOf<{
      readonly SAMPLE_ON: boolean
      readonly SAMPLE_COUNT: number
      readonly SAMPLE_PAUSE: number | null
      readonly SAMPLE_LEVEL: 1
      readonly SAMPLE_KEY: Sealed | null
    }>()
    expect([values.SAMPLE_COUNT, values.SAMPLE_ON, values.SAMPLE_PAUSE]).toEqual([7, true, null])
    // @ts-expect-error a misspelt name does not compile
    expect(values.SAMPLE_COUNTS).toBeUndefined()
  })

  it('does not compile without a right, with a public secret or with a public name it has not', () => {
    // @ts-expect-error a category needs the right that lets somebody change it
    defineSettings({ category: 'sample', fields: {} })
    const fields = { SAMPLE_KEY: secret() }
    // @ts-expect-error a secret cannot be public
    expect(() => defineSettings({ ...place, fields, public: ['SAMPLE_KEY'] })).toThrow('SAMPLE_KEY')
    // @ts-expect-error nothing of this name is declared
    defineSettings({ ...place, fields, public: ['SAMPLE_KEYS'] })
  })

  it('needs a default for every setting but secrets', () => {
    expect(() => defineSettings({ ...place, fields: { SAMPLE_NAME: text({ required: true }) } })).toThrow('SAMPLE_NAME')
  })

  it('shows a setting of another group under its own name only', () => {
    const { SAMPLE_ON } = sample().settings
    expect(() => defineSettings({ ...place, fields: { SAMPLE_OFF: SAMPLE_ON } })).toThrow('SAMPLE_OFF')
  })
})

describe('the settings of all modules', () => {
  const connect = (...groups: Parameters<SettingCatalogue['connect']>[0]) => new SettingCatalogue().connect(groups)
  const elsewhere = { ...place, category: 'elsewhere' }

  it('declare each setting, and each category, once', () => {
    expect(() => connect(sample(), sample())).toThrow('Two groups declare the setting SAMPLE_ON.')
    expect(() => connect(sample(), defineSettings({ ...place, fields: {} }))).toThrow('the category sample')
  })

  it('show every setting that is meant for the category of another group', () => {
    const hidden = defineSettings({ changedBy: 'other category', fields: { SAMPLE_NAME: text() } })
    expect(() => connect(hidden)).toThrow('No category shows the setting SAMPLE_NAME.')
    connect(hidden, defineSettings({ ...elsewhere, fields: { ...hidden.settings } }))
    const unlisted = sample().settings
    expect(() => connect(defineSettings({ ...elsewhere, fields: unlisted }))).toThrow('No module lists the group')
  })

  const { settings, groups } = settingCatalogue

  it('are all there', () => {
    expect([settings.length > 230, settingCatalogue.categories.size > 30]).toEqual([true, true])
  })

  it('have a label where somebody can change them', () => {
    const shown = groups.filter(({ changedBy }) => changedBy === 'category' || changedBy === 'other category')
    const names = shown.flatMap(({ own }) => own.map(({ name }) => name))
    expect(names.filter((name) => !(name in settingsMessages))).toEqual([])
  })

  it('have defaults within their own limits', () => {
    const broken = settings.filter(({ field, default: value }) => {
      if (value === null || value === '' || !field.parse || field.type === 'nested object') return false
      try {
        return JSON.stringify(field.parse(value, {} as Context)) !== JSON.stringify(value)
      } catch (error) {
        if (error instanceof Rejected) return true
        throw error
      }
    })
    expect(broken.map(({ name }) => name)).toEqual([])
  })
})
