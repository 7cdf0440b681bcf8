// Loaded into every program of one machine: loading modules leaves a heap that is mostly holes, which V8 would keep
// for as long as the program has little to do. One collection, once it serves, gives a third of its memory back.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const afterStart = 8_000

setTimeout(() => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString('--no-expose-gc')
}, afterStart).unref()
