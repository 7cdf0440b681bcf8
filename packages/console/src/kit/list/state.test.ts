import { describe, expect, it } from 'vitest'
import {
  addTag,
  defaultRange,
  filterQuery,
  inOrder,
  type ListState,
  nextOrder,
  pageQuery,
  readState,
  removeTag,
  replaceTag,
  writeState,
} from './state.ts'

const known = (field: string) => ['is_active', 'name'].includes(field)
const empty: ListState = { page: 1, size: 15, order: '', tags: [] }

describe('list state in the address', () => {
  it('reads page, order, free words and known fields, and ignores others', () => {
    const state = readState(
      new URLSearchParams('page=3&order=-name&search=web,prod&is_active=true&node_id=7'),
      known,
      15,
    )
    expect(state).toMatchObject({ page: 3, order: '-name', size: 15 })
    expect(state.tags).toEqual([
      { field: '', value: 'web' },
      { field: '', value: 'prod' },
      { field: 'is_active', value: 'true' },
    ])
  })

  it('writes its own parameters and keeps others', () => {
    const params = new URLSearchParams('page=3&order=-name&search=web%2Cprod&is_active=true&node_id=7&activeTab=x')
    const out = writeState(params, readState(params, known, 15), known)
    expect(Object.fromEntries(out)).toEqual(Object.fromEntries(params))
  })

  it('removes a removed filter from the address', () => {
    const params = new URLSearchParams('is_active=true')
    const state = removeTag(readState(params, known, 15), { field: 'is_active', value: 'true' })
    expect(writeState(params, state, known).toString()).toBe('')
  })

  it('accepts filters of any name, including names that other pages use for their tree', () => {
    const params = new URLSearchParams('asset=web-1')
    const state = readState(params, (field) => field === 'asset', 15)
    expect(state.tags).toEqual([{ field: 'asset', value: 'web-1' }])
    expect(
      writeState(params, removeTag(state, { field: 'asset', value: 'web-1' }), (field) => field === 'asset').size,
    ).toBe(0)
  })

  it('ignores invalid values', () => {
    expect(readState(new URLSearchParams('page=-4&size=7'), known, 30)).toMatchObject({ page: 1, size: 30 })
  })
})

describe('filters', () => {
  it('are trimmed and unique, and go to page one', () => {
    const once = addTag({ ...empty, page: 9 }, { field: '', value: '  web ' })
    expect(once).toMatchObject({ page: 1, tags: [{ field: '', value: 'web' }] })
    expect(addTag(once, { field: '', value: 'web' }).tags).toHaveLength(1)
    expect(addTag(once, { field: '', value: '   ' }).tags).toHaveLength(1)
  })

  it('have one value per field', () => {
    const state = addTag(addTag(empty, { field: 'name', value: 'a' }), { field: 'name', value: 'b' })
    expect(state.tags).toEqual([{ field: 'name', value: 'b' }])
  })

  it('keep their position when changed, and are appended when new', () => {
    const three = [
      { field: '', value: 'a' },
      { field: 'name', value: 'b' },
      { field: '', value: 'c' },
    ]
    const state = { ...empty, tags: three }
    expect(addTag(state, { field: 'name', value: 'x' }).tags.map(({ value }) => value)).toEqual(['a', 'x', 'c'])
    expect(replaceTag(state, { field: '', value: 'a' }, { field: '', value: ' c ' }).tags).toEqual([
      { field: '', value: 'c' },
      { field: 'name', value: 'b' },
    ])
    expect(removeTag(state, { field: '', value: 'a' }).tags).toEqual(three.slice(1))
    const params = new URLSearchParams('name=b')
    const behind = addTag(readState(params, known, 15), { field: '', value: 'a' })
    const read = readState(writeState(params, behind, known), known, 15).tags
    expect(read).toEqual([
      { field: 'name', value: 'b' },
      { field: '', value: 'a' },
    ])
    // The address has one parameter for all words; while the page is open, each keeps its position.
    const written = readState(writeState(new URLSearchParams(), state, known), known, 15).tags
    expect(inOrder(written, three)).toEqual(three)
  })

  it('join free words into one search', () => {
    const state = {
      ...empty,
      tags: [
        { field: '', value: 'a' },
        { field: '', value: 'b' },
        { field: 'name', value: 'c' },
      ],
    }
    expect(filterQuery(state)).toEqual({ search: 'a,b', name: 'c' })
  })
})

describe('the query of a page', () => {
  it("contains offset, limit and order, the user's order before the default", () => {
    expect(pageQuery({ ...empty, page: 3 }, { asset: 1 }, '-date')).toMatchObject({
      offset: 30,
      limit: 15,
      order: '-date',
      asset: 1,
      display: 1,
      draw: 1,
    })
    expect(pageQuery({ ...empty, order: 'name' }, {}, '-date').order).toBe('name')
  })

  it('cycles an order through ascending, descending and none', () => {
    expect([nextOrder('', 'a'), nextOrder('a', 'a'), nextOrder('-a', 'a')]).toEqual(['a', '-a', ''])
  })

  it('reverses the default order with every click on its column', () => {
    expect([nextOrder('', 'a', 'a'), nextOrder('-a', 'a', 'a')]).toEqual(['-a', ''])
    expect([nextOrder('', 'a', '-a'), nextOrder('a', 'a', '-a')]).toEqual(['a', ''])
    expect([nextOrder('', 'b', '-a'), nextOrder('b', 'b', '-a'), nextOrder('-b', 'b', '-a')]).toEqual(['b', '-b', ''])
  })

  it('is from seven days ago to the end of today', () => {
    const now = new Date(2026, 10, 21, 9, 0, 0)
    const { dateFrom, dateTo } = defaultRange(7, now)
    expect(now.getTime() - new Date(dateFrom).getTime()).toBe(7 * 86_400_000)
    expect(new Date(dateTo).getHours()).toBe(23)
  })
})
