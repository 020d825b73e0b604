// What every measured process prints at its end: one JSON line on stdout, beginning with `RESULT `.
export const started = () => ({ wall: performance.now(), cpu: process.cpuUsage() })

/** Wall milliseconds and CPU microseconds (user and system) of this process since `from`; peak memory of its life in MB. */
export const since = (from) => {
  const cpu = process.cpuUsage(from.cpu)
  return {
    wallMs: performance.now() - from.wall,
    cpuUs: cpu.user + cpu.system,
    peakRssMb: process.resourceUsage().maxRSS / 1024
  }
}

export const report = (result) => console.log(`RESULT ${JSON.stringify(result)}`)

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export const percentile = (values, p) => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))]
}
