import { contract } from "./threads-contract.ts"
import { local } from "./support/ThreadsHarness.ts"

contract("one machine", (file) => local(file))
