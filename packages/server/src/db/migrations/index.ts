import type { Migration } from '../migrate.ts'
import { migration as m20261121114955 } from './20261121114955-first-tables.ts'
import { migration as m20261121120722 } from './20261121120722-terminal-and-audits.ts'

/** Every migration, oldest first. Only ever appended to. */
export const migrations: readonly Migration[] = [m20261121114955, m20261121120722]
