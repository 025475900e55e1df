// Runs the notebooks of client/python/notebooks on the world that `npm start` serves, on a fixed date, and saves the outputs
// of their cells in them. Run it with `npm run notebooks` after one of them, or an answer that they show, has changed.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_WORLD, startLiveService } from "../support/live-service.ts";
import { programPath } from "../support/programs.ts";
import { runCommand } from "../support/run-command.ts";

const STARTS_AT = Date.UTC(2026, 2, 14, 15);
const python = join(import.meta.dir, "..", "..", "client", "python");
const folder = join(python, "notebooks");

const live = await startLiveService({ ...DEFAULT_WORLD, startsAt: STARTS_AT });
try {
  await live.captured();
  await live.derived();
  const names = readdirSync(folder).filter((name) => name.endsWith(".ipynb"));
  const { out } = await runCommand([programPath("python"), join(folder, "run.py"), "--write", ...names], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      PYTHONPATH: python,
      PYTHONDONTWRITEBYTECODE: "1",
      CROWDTAPE_SERVER: live.url,
      CROWDTAPE_KEY: live.keys.scale.secret,
    },
  });
  console.log(out.trimEnd());
} finally {
  await live.stop();
}
