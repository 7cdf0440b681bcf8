import { describe, expect, it } from 'vitest'
import { type AutomationItem, automationMethodsAnswer, automationMethodsFor } from './automation-methods.ts'
import { builtinPlatforms } from './builtin-platforms.ts'
import { categoriesAnswer, constraintsFor } from './platforms.ts'
import { protocolsAnswer } from './protocols.ts'

describe('categories', () => {
  it('lists categories and types in the order of the table, without empty ones', () => {
    const shape = categoriesAnswer({ language: 'en' }).map(({ value, types }) => [value, types.map((one) => one.value)])
    expect(shape).toEqual([
      ['host', ['linux', 'windows', 'unix', 'other']],
      ['device', ['general', 'switch', 'router', 'firewall']],
      ['database', ['mysql', 'mariadb', 'postgresql', 'oracle', 'sqlserver', 'db2', 'clickhouse', 'mongodb', 'redis']],
      ['cloud', ['public', 'private', 'k8s']],
      ['web', ['website']],
      ['gpt', ['chatgpt']],
    ])
  })

  it('adds custom types with the protocols their platforms declare', () => {
    const custom = [{ type: 'k9', protocols: [{ name: 'barks', port: 9 }] }]
    const answer = categoriesAnswer({ language: 'zh', custom }).at(-1)
    expect(answer).toMatchObject({
      label: '自定义类型',
      value: 'custom',
      types: [
        {
          label: 'k9',
          constraints: {
            charset_enabled: false,
            protocols: [{ name: 'barks', port: 9, secret_types: ['password'], setting: {}, default: true }],
            automation: { ansible_enabled: false, ansible_config: {}, push_account_enabled: false },
          },
        },
      ],
    })
  })

  it('returns the constraints of Windows as the v3 API does, with native methods first', () => {
    const windows = constraintsFor('host', 'windows', 'en')
    expect(Object.keys(windows ?? {})).toEqual([
      'charset_enabled',
      'charset',
      'domain_enabled',
      'su_enabled',
      'su_methods',
      'protocols',
      'automation',
    ])
    expect(windows?.su_enabled).toBe(false)
    expect(windows?.protocols[0]).toEqual({
      name: 'rdp',
      port: 3389,
      secret_types: ['password'],
      setting: { console: false, security: 'any', ad_domain: '' },
      default: true,
    })
    expect(windows?.automation.change_secret_methods).toMatchObject([
      { id: 'change_secret_local_windows' },
      { id: 'change_secret_windows_rdp_verify' },
      { id: 'change_secret_by_ssh' },
    ])
    expect(windows?.automation.ansible_methods).toEqual([])
  })

  it('omits the keys that the v3 API omits', () => {
    expect(constraintsFor('cloud', 'k8s', 'en')?.automation).not.toHaveProperty('ping_enabled')
    expect(constraintsFor('web', 'website', 'en')?.automation).not.toHaveProperty('ansible_config')
    expect(constraintsFor('database', 'redis', 'en')?.automation).not.toHaveProperty('ping_methods')
    expect(constraintsFor('database', 'sqlserver', 'en')?.automation.gather_accounts_methods).toEqual([])
    expect(constraintsFor('database', 'mysql', 'en')?.protocols).toEqual([
      { name: 'mysql', port: 3306, secret_types: ['password'], required: true, setting: {}, default: true },
    ])
    expect(constraintsFor('host', 'amiga', 'en')).toBeUndefined()
  })
})

describe('protocols and methods', () => {
  it('lists every protocol', () => {
    expect(protocolsAnswer()).toHaveLength(18)
    expect(protocolsAnswer()[0]).toEqual({ label: 'SSH', value: 'ssh' })
  })

  it('returns the parameters of the nine methods with parameters', () => {
    const answer = automationMethodsAnswer()
    expect(Object.keys(answer)).toHaveLength(9)
    expect(answer.push_account_aix).toEqual({ sudo: '/bin/whoami', shell: '/bin/bash', home: '', groups: '' })
    expect(answer.change_secret_by_ssh).toEqual({ commands: [''] })
  })
})

describe('built-in platforms', () => {
  it('have ids 1 to 30 and exactly one primary protocol each', () => {
    expect(builtinPlatforms.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
    for (const { name, protocols } of builtinPlatforms) {
      expect([name, protocols.filter((one) => one.primary).length]).toEqual([name, 1])
    }
  })

  it('use only protocols and methods of their type, except AIX', () => {
    for (const { name, category, type, protocols, automation } of builtinPlatforms) {
      const constraints = constraintsFor(category, type, 'en')
      const allowed = constraints?.protocols.map((one) => one.name)
      expect(allowed, name).toEqual(expect.arrayContaining(protocols.map((one) => one.name)))
      for (const [item, { method }] of Object.entries(automation.items)) {
        if (method === null || method.endsWith('_aix')) continue
        // Of Redis, the v3 API describes no automations; its built-in platforms have them all the same.
        expect(automationMethodsFor(category, type, item as AutomationItem), name).toContain(method)
      }
    }
  })
})
