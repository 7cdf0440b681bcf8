/** Keeps what clients of the API rely on as it is now: `npm run api-surface`. A test names what changed since. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes, resourcesByPath } from './application.ts'
import { apiSurface } from './kernel/api-docs/api-surface.ts'

const lines = apiSurface(allRoutes(), resourcesByPath().values())
writeFileSync(join(import.meta.dirname, '../api-surface.txt'), `${lines.join('\n')}\n`)
console.log(`Kept ${lines.length} facts of the API.`)
