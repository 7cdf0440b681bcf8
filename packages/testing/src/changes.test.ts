import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { filesChangedSince, mayBeChanged } from './changes.ts'
import { describeWith } from './parts.ts'

describeWith('git', 'what has changed', () => {
  let folder: string
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const commit = (date: string) => {
    git('add', '.')
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.test']
    const env = { ...process.env, GIT_COMMITTER_DATE: date }
    execFileSync('git', [...who, 'commit', '-m', 'a change'], { cwd: folder, stdio: 'ignore', env })
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-changes-'))
    mkdirSync(join(folder, 'part'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('may be everything where there is no checkout, or no commit before the last one', () => {
    expect(mayBeChanged(/^nothing$/, folder)).toBe(true)
    git('init')
    for (const name of ['kept', 'edited', 'removed', 'moved']) write(name, `${name}\n`)
    commit('2026-03-01T08:00:00Z')
    expect(mayBeChanged(/^nothing$/, folder)).toBe(true)
  })

  it('is what the commits of the last half day, an edit or a new file touch, both names of what was moved, and nothing else', () => {
    git('rm', 'removed')
    commit('2026-03-02T08:00:00Z')
    git('mv', 'moved', 'part/moved')
    commit('2026-03-02T10:00:00Z')
    write('edited', 'otherwise\n')
    write('part/new', '')
    expect(filesChangedSince('HEAD^^', folder).sort()).toEqual(['edited', 'moved', 'part/moved', 'part/new', 'removed'])
    expect(mayBeChanged(/^kept$/, folder)).toBe(false)
    expect(mayBeChanged(/^part\//, folder)).toBe(true)
    expect(mayBeChanged(/^removed$/, folder)).toBe(true)
  })

  it('may be everything in a folder of another checkout', () => {
    expect(mayBeChanged(/^kept$/, join(folder, 'part'))).toBe(true)
  })
})
