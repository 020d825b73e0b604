/** A limit for what another extension does. */

/** Whether a promise ends within some milliseconds, however it ends. */
export const keeps = async (promise: PromiseLike<unknown>, milliseconds: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const ended = promise.then(
    () => true,
    () => true
  )
  return await Promise.race([ended, late]).finally(() => clearTimeout(timer))
}
