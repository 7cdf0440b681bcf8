import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installIsStale, pinnedNode } from './runtime.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runtime-'))
  mkdirSync(join(folder, 'node_modules'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lock = (packages: Record<string, object>) =>
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
const installed = (packages: Record<string, object>) =>
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))

describe('installing', () => {
  it('is needed when nothing is installed', () => {
    lock({ '': {} })
    expect(installIsStale(folder)).toBe(true)
  })

  it('is needed when a package is missing or has another version', () => {
    lock({ '': {}, 'node_modules/a': { version: '1.0.0' } })
    installed({})
    expect(installIsStale(folder)).toBe(true)
    installed({ 'node_modules/a': { version: '0.9.0' } })
    expect(installIsStale(folder)).toBe(true)
    installed({ 'node_modules/a': { version: '1.0.0' } })
    expect(installIsStale(folder)).toBe(false)
  })

  it('is not needed for packages of another system', () => {
    lock({ '': {}, 'node_modules/for-mac': { version: '1.0.0', optional: true } })
    installed({})
    expect(installIsStale(folder)).toBe(false)
  })

  it('is not needed here: these tests run', () => {
    expect(installIsStale()).toBe(false)
  })
})

it('runs on the pinned runtime', () => {
  expect(pinnedNode()).toMatch(/node_modules.*node/)
})

describe('pictures', () => {
  it('of unknown screens fail with a list of the known ones', () => {
    const { status, stderr } = spawnSync(process.execPath, ['e2e/shots.ts', '--only', 'UserList,Nope'], {
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toMatch(/Nothing is called Nope\. There are: .*UserList, .*import-failed/)
  }, 20_000)
})
