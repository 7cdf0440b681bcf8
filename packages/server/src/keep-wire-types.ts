/** Writes the types of what is on the wire for gateway and console: `npm run wire-types`. A test names differences. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourcesByPath } from './application.ts'
import { wireTypes } from './kernel/api-docs/wire-types.ts'

const text = wireTypes(resourcesByPath().values())
writeFileSync(join(import.meta.dirname, '../../contract/src/wire.gen.ts'), text)
console.log(`Wrote ${text.split('\n').length} lines of types.`)
