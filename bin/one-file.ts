// What `npm run build` compiles: one file that is the server with its pages, the command line, the simulator and the tracker.
// Alone it does what `npm start` does; with a verb, what `npx crowdtape` does.

/** What `npm start` tells the runtime about memory, and that compiled code stays: by default it is thrown away each minute. */
const RUNTIME_SETTINGS = {
  MIMALLOC_PURGE_DELAY: "10",
  BUN_JSC_forceRAMSize: "134217728",
  BUN_JSC_minEdenToOldGenerationRatio: "0.1",
  BUN_JSC_forceCodeBlockLiveness: "1",
};

const argv = process.argv.slice(2);
const missing = Object.entries(RUNTIME_SETTINGS).filter(([name]) => process.env[name] === undefined);
// The runtime reads these before any line of ours, so the program begins again with them. Windows has no such call.
if (missing.length > 0 && process.platform !== "win32")
  process.execve?.(process.execPath, [process.execPath, ...argv], {
    ...process.env,
    ...Object.fromEntries(missing),
  });
if (argv.length === 0) process.argv.push("serve");
await import("../service/cli.ts");
