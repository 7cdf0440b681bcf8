// Loaded into every program of one machine: loading modules leaves a heap that is mostly holes, which V8 would keep
// for as long as the program has little to do. One collection, once it serves, gives a third of its memory back.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const afterStart = 8_000
/** A large site fills the heap with what it needs: to look through all of that would hold up answers for nothing. Bytes. */
const most = 96 * 1024 * 1024

setTimeout(() => {
  if (getHeapStatistics().used_heap_size > most) return
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString('--no-expose-gc')
}, afterStart).unref()
