// Parses under any Node, so that an old one ends with a sentence and not with a syntax error.
"use strict"

/** The oldest Node that runs Signalbox. */
exports.needed = 24

/** The message for a person whose Node is too old. Undefined if it runs Signalbox. */
exports.refusal = function () {
  var found = process.versions.node
  if (parseInt(found, 10) >= exports.needed) return undefined
  return (
    "Signalbox needs Node " +
    exports.needed +
    " or later, and this is Node " +
    found +
    " (" +
    process.execPath +
    "). Install Node " +
    exports.needed +
    " from https://nodejs.org, then run the same command again."
  )
}
