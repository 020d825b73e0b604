#!/usr/bin/env node
// The launcher of the package. It writes nothing and installs nothing: the folder that it is run in is somebody else's project.
"use strict"
var own = require("../package.json")
var refusal = require("./node-version.cjs").refusal()
var args = process.argv.slice(2)

function isInstalled(name) {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}

function end(sentence) {
  console.error(sentence)
  process.exit(2)
}

if (refusal !== undefined) end(refusal)

var missing = Object.keys(own.dependencies).filter(function (name) {
  return !isInstalled(name)
})
if (missing.length > 0) {
  end(
    "This installation of Signalbox lacks the package " +
      missing.join(", ") +
      ", which npm installs with it. Install Signalbox again, with `npm install` and the network."
  )
}

if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  console.log(own.version)
} else {
  // npx passes Ctrl-C on, which a terminal sends to all of us at once: it then counts as one.
  process.env.SIGNALBOX_LAUNCHED = "1"
  import("../server/bin.js").catch(function (error) {
    console.error(error)
    process.exit(1)
  })
}
