import { describe, expect, it } from 'vitest'
import { detectLanguage } from '../browser/languages.ts'
import { readAccounts, toggleAccount } from './form/widgets/AccountNames.tsx'
import { actorOf, at, nameParts, rawOf, relativeTime, timestampOf, wordOf } from './row.ts'
import { setTexts } from './text.ts'
import { branches, queryOf, splitCount, type TreeNode } from './tree/nodes.ts'

describe('values of rows', () => {
  it('have a label and a raw value', () => {
    expect([wordOf({ value: 'a', label: 'A' }), wordOf({ id: 1, name: 'N' }), wordOf(null), wordOf(7)]).toEqual([
      'A',
      'N',
      '',
      '7',
    ])
    expect([rawOf({ value: false, label: 'No' }), rawOf({ id: 3 }), rawOf('x')]).toEqual([false, 3, 'x'])
    expect(at({ a: { b: 1 } }, 'a.b')).toBe(1)
  })
  it('localize the product itself, and leave users unchanged', () => {
    setTexts('ja', { systemActor: 'システム' })
    expect([actorOf('System'), actorOf('Systema'), actorOf('Olivia')]).toEqual(['システム', 'Systema', 'Olivia'])
    setTexts('en', {})
  })
  it('are split where a name has text in brackets', () => {
    expect(nameParts('Olivia (ops)(olivia)')).toEqual({ name: 'Olivia (ops)', inner: 'olivia' })
    expect([nameParts('root'), nameParts('root()'), nameParts(undefined)]).toEqual([
      { name: 'root', inner: 'root' },
      { name: 'root', inner: 'root' },
      { name: '', inner: '' },
    ])
  })
  it('are timestamps in wire format, ISO and seconds', () => {
    const timestamp = Date.UTC(2024, 0, 31, 0, 0, 0)
    expect(timestampOf('2024/01/31 08:00:00 +0800')?.getTime()).toBe(timestamp)
    expect(timestampOf(timestamp / 1000)?.getTime()).toBe(timestamp)
    expect(timestampOf('never')).toBeUndefined()
  })
  it('are relative times, with words for adjacent days', () => {
    setTexts('en', { justNow: 'just now' })
    const relative = (hours: number) => relativeTime(new Date(hours * 3_600_000), 0)
    expect([relative(0), relative(-2), relative(25), relative(-26), relative(24 * 31), relative(-24 * 366)]).toEqual([
      'just now',
      '2 hr ago',
      'tomorrow',
      'yesterday',
      'in 1 mo',
      '1 yr ago',
    ])
    // Half a unit below the next unit rounds up to it.
    const short = [-59.6 / 60, -23.6, -29.6 * 24, -0.99 / 60].map(relative)
    expect(short).toEqual(['1 hr ago', 'yesterday', '1 mo ago', 'just now'])
  })
})

describe('the language', () => {
  it("is the stored one, then the cookie, then the browser's, then English", () => {
    expect(detectLanguage('cn', 'en', ['ja'])).toBe('zh')
    expect(detectLanguage(null, 'zh-hans', ['ja'])).toBe('zh')
    expect(detectLanguage(null, undefined, ['fr', 'ja-JP', 'zh'])).toBe('ja')
    expect(detectLanguage(null, undefined, ['fr'])).toBe('en')
  })
})

describe('accounts of a permission', () => {
  it('are all by default, and specified with usernames', () => {
    expect(readAccounts([])).toEqual({ ticks: ['@ALL'], names: [], templates: [] })
    expect(readAccounts(['root', '@USER'])).toEqual({ ticks: ['@USER', '@SPEC'], names: ['root'], templates: [] })
    expect(readAccounts(['@SPEC', 'root', '%t1'])).toEqual({ ticks: ['@SPEC'], names: ['root'], templates: ['t1'] })
  })
  it('are all or specified, never both', () => {
    expect(toggleAccount(['@ALL', '@USER'], '@SPEC', true)).toEqual(['@USER', '@SPEC'])
  })
})

describe('trees', () => {
  const node = (id: string, pId?: string, isParent = true): TreeNode => ({
    id,
    pId,
    name: `n${id} (3)`,
    isParent,
    meta: { type: 'node', data: { id: `u${id}` } },
  })
  it('are nested; a parent without children is loaded on demand', () => {
    const [root] = branches([node('1'), node('1:2', '1'), node('1:3', '1', false)])
    expect(root?.children?.map((child) => [child.key, child.children])).toEqual([
      ['1:2', undefined],
      ['1:3', []],
    ])
  })
  it('split counts from names, and provide the query of a node', () => {
    expect(splitCount(node('1'))).toEqual({ name: 'n1', count: 3 })
    expect(queryOf(node('1'), true)).toEqual({ node_id: 'u1', asset_id: '', show_current_asset: '1' })
    const ofTypes = (id: string, meta: TreeNode['meta']) => queryOf({ ...node(id), meta }, false)
    expect(ofTypes('ROOT', { type: 'root' })).toEqual({})
    expect(ofTypes('ROOT_HOST', { type: 'category', category: 'host', _type: 'host' })).toEqual({ category: 'host' })
    expect(ofTypes('ROOT_HOST_linux', { type: 'type', category: 'host', _type: 'linux' })).toEqual({
      category: 'host',
      type: 'linux',
    })
    expect(ofTypes('1', { type: 'platform' })).toEqual({ platform: '1' })
  })
})
