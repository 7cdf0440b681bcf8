import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, requirePart } from './parts.ts'
import { startPostgres } from './postgres.ts'

describeWith('postgresql', 'PostgreSQL for tests', () => {
  it('starts, creates separate databases, and leaves nothing running', async () => {
    const ask = (url: string, sql: string) =>
      execFileSync(join(requirePart('postgresql'), 'psql'), ['-X', '-At', url, '-c', sql], {
        encoding: 'utf8',
        stdio: 'pipe',
      }).trim()
    const server = await startPostgres()
    const [one, two] = [server.createDatabase(), server.createDatabase()]
    ask(one, 'create table only_here (n int)')
    expect(ask(one, "select to_regclass('only_here')")).toBe('only_here')
    expect(ask(two, "select to_regclass('only_here')")).toBe('')
    await server.stop()
    expect(() => ask(one, 'select 1')).toThrow()
  })
})
