// `npm run world:plots`: lives the default world once and writes what it looks like to docs/world/. The same seed and
// date give the same files.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { growthTo } from "../growth.ts";
import { DEFAULT_EVENTS_PER_SECOND } from "../life.ts";
import { createApi } from "../views/api.ts";
import { World } from "../world/world.ts";
import { measure } from "./measure.ts";
import { pages } from "./plots.ts";

const DAY = 86_400_000;
const SEED = "crowdtape";
const NOW = Date.UTC(2026, 10, 15, 12);
const GENESIS = NOW - 31 * DAY;

const world = new World({
  seed: SEED,
  genesis: GENESIS,
  traders: 2_000,
  segments: growthTo(DEFAULT_EVENTS_PER_SECOND, GENESIS, NOW),
});
world.advance(NOW);
const folder = join(import.meta.dir, "../../docs/world");
mkdirSync(folder, { recursive: true });
const made = pages(world, measure(world), createApi(world));
for (const { file, svg } of made) writeFileSync(join(folder, file), svg);
const text = [
  "# The simulated world, looked at",
  "",
  `Seed \`${SEED}\`, 2,000 traders, 31 days of growth to the default rate, made by \`npm run world:plots\`. \`simulator/report/believable.test.ts\` holds the same figures to bounds.`,
  "",
  ...made.flatMap(({ file, title, note }) => [`## ${title}`, "", note, "", `![${title}](${file})`, ""]),
];
writeFileSync(join(folder, "README.md"), `${text.join("\n").trimEnd()}\n`);
console.log(`${made.length} plots are in docs/world`);
