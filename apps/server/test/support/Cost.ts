/** What synchronous work costs: microseconds of this thread, the least of several tries, so that a busy machine does not count. */
export const cost = (work: () => void, tries = 3): number => {
  let least = Infinity
  for (let count = 0; count < tries; count += 1) {
    const before = process.threadCpuUsage()
    work()
    const { system, user } = process.threadCpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}
