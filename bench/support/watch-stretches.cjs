// Loaded into a server: answers each message with the CPU milliseconds of the longest turn of its event loop since the last
// message.
const { isMainThread } = require('node:worker_threads')

if (isMainThread && process.send) {
  let longest = 0
  let before = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 1).unref()
  process.on('message', () => {
    process.send(longest)
    longest = 0
  })
  process.channel.unref()
}
