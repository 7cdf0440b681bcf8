import { describe, expect, it } from 'vitest'
import { contrast } from '../kit/accent.ts'
import { matches } from './paths.ts'
import { close } from './shell/visited.ts'
import { neutralAddress } from './views.ts'

describe('switching the organization', () => {
  it('keeps the path up to an object, and drops values that look like ids', () => {
    expect(neutralAddress('#/console/users/users/6f9619ff-8b86-4011-b42d-00c04fc964ff/update?a=b')).toBe(
      '/console/users/users?a=b',
    )
    expect(neutralAddress('#/x/12')).toBe('/x')
    expect(neutralAddress('#/a?platform=1&node=6f9619ff-8b86-4011-b42d-00c04fc964ff&tab=x')).toBe('/a?platform=1&tab=x')
    expect(neutralAddress('#/a?ids=6f9619ff-8b86-4011-b42d-00c04fc964ff,7&page=2&tab=x')).toBe('/a?tab=x')
  })
  it('keeps words that contain digits', () => {
    expect(neutralAddress('#/a?search=web1&name=10.0.0.1&order=-date_2')).toBe(
      '/a?search=web1&name=10.0.0.1&order=-date_2',
    )
  })
})

describe('routes', () => {
  it('match with parameters and a trailing slash', () => {
    expect(matches('/a/:id', '/a/7')).toBe(true)
    expect(matches('/a/:id', '/a/7/')).toBe(true)
    expect(matches('/a/:id', '/a')).toBe(false)
    expect(matches('/a/create', '/a/7')).toBe(false)
  })
})

describe('the tab strip', () => {
  const tab = (path: string, affix = false) => ({ path, full: path, title: path, affix })
  const list = [tab('/d', true), tab('/a'), tab('/b')]
  it('closes one, others or all, but never affix tabs', () => {
    expect(close(list, '/a', 'one').map((one) => one.path)).toEqual(['/d', '/b'])
    expect(close(list, '/a', 'others').map((one) => one.path)).toEqual(['/d', '/a'])
    expect(close(list, '/d', 'all').map((one) => one.path)).toEqual(['/d'])
  })
})

describe('contrast', () => {
  it('is the WCAG contrast', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21)
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 1)
  })
})
