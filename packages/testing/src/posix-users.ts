import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { requirePart } from './detect.ts'

export interface PosixUser {
  username: string
  password: string
  home: string
}

/** Real accounts of this machine for one test file, which runs as root. `removeAll` removes them with their files. */
export function temporaryUsers() {
  const names = new Set<string>()
  const rules = new Set<string>()
  const newName = () => {
    const name = `ct${randomBytes(4).toString('hex')}`
    names.add(name)
    return name
  }
  return {
    /** A name that nobody has; the account that a test makes of it is removed as well. */
    newName,
    add({ sudo, shell = '/bin/bash' }: { sudo?: string; shell?: string } = {}): PosixUser {
      requirePart('root')
      if (sudo !== undefined) requirePart('sudo')
      const username = newName()
      const password = randomBytes(12).toString('base64url')
      const home = `/home/${username}`
      execFileSync('useradd', ['-m', '-d', home, '-s', shell, username])
      execFileSync('chpasswd', { input: `${username}:${password}\n` })
      if (sudo !== undefined) {
        const rule = `/etc/sudoers.d/${username}`
        writeFileSync(rule, `${username} ${sudo}\n`, { mode: 0o440 })
        rules.add(rule)
      }
      return { username, password, home }
    },
    removeAll() {
      for (const rule of rules) rmSync(rule, { force: true })
      for (const name of names) {
        rmSync(`/etc/sudoers.d/castellan-${name}`, { force: true })
        if (!exists(name)) continue
        run('pkill', '-KILL', '-u', name)
        run('userdel', '-rf', name)
      }
    },
  }
}

const exists = (name: string) => passwdLine(name) !== undefined

/** The line of an account in a list like /etc/passwd; undefined when there is none. */
export const passwdLine = (name: string, file = '/etc/passwd'): string[] | undefined =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([first]) => first === name)

function run(program: string, ...words: string[]): void {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
  } catch {
    // It has no processes, or is gone already.
  }
}
