// Loaded into every supervised program: when the supervisor is gone, even by kill -9, its end of the channel closes
// and the program ends in order; a program that does not manage that in time is ended.
const grace = 15_000

if (process.channel) {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), grace).unref()
    process.kill(process.pid, 'SIGTERM')
  })
  // Listening must not keep a program alive that has nothing left to do.
  process.channel.unref()
}
