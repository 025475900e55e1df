// The checks alone. Each runs regardless of the others' results, so one run shows all.
import { CHECKS } from "./runner/checks.ts";
import { runJobs } from "./runner/lanes.ts";

let failed = 0;
await runJobs(CHECKS, {
  lanes: 1,
  env: process.env,
  ended({ job, code, output }) {
    console.log(`check ${job.name}: ${code === 0 ? "ok" : `failed\n${output}`}`);
    if (code !== 0) failed++;
  },
});
process.exit(failed === 0 ? 0 : 1);
