// `npm run status`: the running programs of a data folder, as JSON.
import { existsSync } from 'node:fs'
import { run, Stop } from '../stop.mjs'
import { dataDirOf } from './data-dir.mjs'
import { askStatus } from './instance.mjs'

await run(async () => {
  const dataDir = dataDirOf(process.env)
  const status = existsSync(dataDir) ? await askStatus(dataDir) : undefined
  if (!status) throw new Stop(`Nothing runs in the data folder ${dataDir}.`, 'Start it with: npm start')
  console.log(JSON.stringify(status, undefined, 2))
})
