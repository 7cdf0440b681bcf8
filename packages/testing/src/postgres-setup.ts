import { memoryFolder } from './memory-folder.ts'
import { startPostgres } from './postgres.ts'

/** URL of this run's server; tests create their own databases on it. */
export const testPostgresVariable = 'CASTELLAN_TEST_POSTGRES_URL'

/** Vitest's global set-up of the project that runs the server's tests on PostgreSQL. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres(memoryFolder())
  process.env[testPostgresVariable] = server.url('postgres')
  return () => server.stop()
}
