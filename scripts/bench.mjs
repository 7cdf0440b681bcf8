// `npm run bench`: lists the benches; `npm run bench -- start` runs one by its name.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { handOver, installIfNeeded, pinnedNode, root } from './runtime.mjs'
import { run, Stop } from './stop.mjs'

await run(() => {
  installIfNeeded()
  const folder = join(root, 'bench')
  const names = readdirSync(folder)
    .filter((file) => /^[a-z-]+\.bench\.ts$/.test(file))
    .map((file) => file.slice(0, -'.bench.ts'.length))
  const [name, ...words] = process.argv.slice(2)
  if (!name) {
    console.log('npm run bench -- <name>\n')
    for (const one of names) {
      const about = /^\/\/ (.*)/.exec(readFileSync(join(folder, `${one}.bench.ts`), 'utf8'))?.[1] ?? ''
      console.log(`  ${one.padEnd(14)}${about}`)
    }
    return
  }
  if (!names.includes(name)) throw new Stop(`There is no bench ${name}.`, `There are: ${names.join(', ')}.`)
  handOver(pinnedNode(), `bench/${name}.bench.ts`, words)
})
