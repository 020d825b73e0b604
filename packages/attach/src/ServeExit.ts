/** The exit code of `signalbox serve` where another server has the state folder. The number is a contract. */
export const stateInUse = 7
