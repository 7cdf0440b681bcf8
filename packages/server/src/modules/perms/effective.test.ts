import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccountFacts, permittedAccounts, permittedProtocols, protocolPasses, type Rule } from './effective.ts'

const usernames = ['root', 'alice', 'bob', '@USER', 'deploy'] as const
const aliases = ['@ALL', '@SPEC', '@INPUT', '@USER', '@ANON', '@ELSE', 'root', 'alice', 'bob', 'nobody'] as const

const rule = fc.record({
  id: fc.uuid(),
  accounts: fc.array(fc.constantFrom(...aliases), { maxLength: 4 }),
  protocols: fc.array(fc.constantFrom('all', 'ssh', 'sftp', 'rdp'), { maxLength: 2 }),
  actions: fc.integer({ min: 0, max: 127 }),
  date_expired: fc.integer({ min: 1, max: 1000 }),
})
const accounts = fc
  .array(fc.record({ username: fc.constantFrom(...usernames), is_active: fc.boolean() }), { maxLength: 5 })
  .map((rows) => rows.map((row, index): AccountFacts => ({ id: String(index), name: `a${index}`, ...row })))

/** The specification: for one account, every alias that may refer to it. */
function brute(rules: readonly Rule[], all: readonly AccountFacts[], username: string) {
  const active = all.filter((one) => one.is_active)
  const exists = (name: string) => active.some((one) => one.username === name)
  const everyoneBits = rules.filter((one) => one.accounts.includes('@ALL')).reduce((sum, one) => sum | one.actions, 0)
  const result = new Map<string, { actions: number; dateExpired: number }>()
  const give = (key: string, giving: readonly Rule[]) => {
    if (giving.length === 0) return
    result.set(key, {
      actions: giving.reduce((sum, one) => sum | one.actions, 0),
      dateExpired: Math.max(...giving.map((one) => one.date_expired)),
    })
  }
  for (const account of active)
    give(
      account.id,
      rules.filter(
        (one) =>
          (one.accounts.includes(account.username) && !(account.username === '@USER' && exists(username))) ||
          (one.accounts.includes('@ALL') &&
            everyoneBits !== 0 &&
            !(account.username === '@USER' && exists(username))) ||
          (account.username === username &&
            (one.accounts.includes('@USER') ||
              // An account named @USER has lower priority than the account with the user's own name, also under @ALL.
              (one.accounts.includes('@ALL') && everyoneBits !== 0 && exists('@USER')))),
      ),
    )
  for (const alias of ['@INPUT', '@USER', '@ANON'])
    if (!exists(alias) && !(alias === '@USER' && exists(username)))
      give(
        alias,
        rules.filter((one) => one.accounts.includes(alias)),
      )
  return result
}

describe('permitted accounts', () => {
  it('equal the brute-force model, with actions and expiry', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 6 }),
        accounts,
        fc.constantFrom('alice', 'carol'),
        (rules, all, username) => {
          const got = permittedAccounts(rules, all, username)
          const wanted = brute(rules, all, username)
          expect(
            new Map(
              got.map((one) => [one.account?.id ?? one.alias, { actions: one.actions, dateExpired: one.dateExpired }]),
            ),
          ).toEqual(wanted)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('do not depend on the order of the rules', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), accounts, (rules, all) => {
        const strip = (list: ReturnType<typeof permittedAccounts>) =>
          list.map(({ alias, actions, dateExpired, account }) => [alias, actions, dateExpired, account?.id])
        expect(strip(permittedAccounts([...rules].reverse(), all, 'alice'))).toEqual(
          strip(permittedAccounts(rules, all, 'alice')),
        )
      }),
    )
  })

  it('name the rules that grant them', () => {
    const rules: Rule[] = [
      { id: 'p1', accounts: ['@ALL'], protocols: ['all'], actions: 1, date_expired: 10 },
      { id: 'p2', accounts: ['@SPEC', 'root'], protocols: ['ssh'], actions: 2, date_expired: 20 },
      { id: 'p3', accounts: ['@INPUT'], protocols: ['ssh'], actions: 4, date_expired: 30 },
    ]
    const root = { id: '1', name: 'Root', username: 'root', is_active: true }
    const [first, second] = permittedAccounts(rules, [root], 'alice')
    expect(first).toEqual({ alias: 'Root', account: root, actions: 3, dateExpired: 20, rules: ['p2', 'p1'] })
    expect(second).toMatchObject({ alias: '@INPUT', account: undefined, rules: ['p3'] })
  })

  it('are empty when @ALL allows no action', () => {
    const rules: Rule[] = [{ id: 'p', accounts: ['@ALL'], protocols: ['all'], actions: 0, date_expired: 10 }]
    expect(permittedAccounts(rules, [{ id: '1', name: 'r', username: 'r', is_active: true }], 'a')).toEqual([])
  })
})

describe('permitted protocols', () => {
  it('are every offered one with `all`, else the named ones', () => {
    const of = (...protocols: string[]): Rule => ({ id: '', accounts: [], protocols, actions: 1, date_expired: 1 })
    expect(permittedProtocols([of('all')], ['ssh', 'rdp'])).toEqual(['ssh', 'rdp'])
    expect(permittedProtocols([of('ssh'), of('vnc')], ['ssh', 'rdp'])).toEqual(['ssh'])
    expect(protocolPasses([of('ssh')], 'sftp')).toBe(false)
    expect(protocolPasses([of('all')], 'anything')).toBe(true)
  })
})
