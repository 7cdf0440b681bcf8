// Loaded into every program of one machine: loading modules leaves a fragmented heap, which V8 would keep while the
// program is idle. One collection after start-up frees a third of its memory.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const afterStart = 8_000
/** At a large site the heap is full of live data: a full collection would block responses without a benefit. Bytes. */
const most = 96 * 1024 * 1024

setTimeout(() => {
  if (getHeapStatistics().used_heap_size > most) return
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString('--no-expose-gc')
}, afterStart).unref()
