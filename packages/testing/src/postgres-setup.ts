import { memoryFolder } from './memory-folder.ts'
import { startPostgres } from './postgres.ts'

/** Where tests find the server of this run; they make databases of their own on it. */
export const testPostgresVariable = 'CASTELLAN_TEST_POSTGRES_URL'

/** Vitest's global set-up of the project that runs the server's tests on PostgreSQL. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres(memoryFolder())
  process.env[testPostgresVariable] = server.url('postgres')
  return () => server.stop()
}
