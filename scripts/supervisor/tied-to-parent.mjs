// Loaded into every supervised program: when the supervisor ends, even by kill -9, its end of the channel closes and
// the program ends gracefully, or is killed after a timeout.
const grace = 15_000

if (process.channel) {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), grace).unref()
    process.kill(process.pid, 'SIGTERM')
  })
  // The channel must not keep an otherwise finished program alive.
  process.channel.unref()
}
