/** Records the surface of the API that clients rely on: `npm run api-surface`. A test names later changes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoutes, resourcesByPath } from './application.ts'
import { apiSurface } from './kernel/api-docs/api-surface.ts'

const lines = apiSurface(allRoutes(), resourcesByPath().values())
writeFileSync(join(import.meta.dirname, '../api-surface.txt'), `${lines.join('\n')}\n`)
console.log(`Recorded ${lines.length} facts of the API.`)
