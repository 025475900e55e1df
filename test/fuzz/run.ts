// `npm run fuzz -- --seed N --minutes M`: the long run. It runs round after round, each with the next seed, until the time is
// over and every parameter, header, body field and frame field has had its thousand values.
import { parseArgs } from "node:util";
import { runCampaign } from "./campaign.ts";
import { flyCanary } from "./canary.ts";
import { beGreedy } from "./greedy.ts";
import { tryRefundOrders } from "./refund-orders.ts";
import { startSubject } from "./subject.ts";

const { values } = parseArgs({ options: { seed: { type: "string" }, minutes: { type: "string" } } });
const firstSeed = Number(values.seed ?? crypto.getRandomValues(new Uint16Array(1))[0]) | 0;
const until = Date.now() + Number(values.minutes ?? "10") * 60_000;
/** The requirement for the run as a whole. */
const VALUES_PER_TARGET = 1_000;
/** Per round; a failing round is replayed by its own seed. */
const VALUES_PER_ROUND = 100;
/** Orders of checkout, refund, dispute and the rest. */
const ORDERS_PER_ROUND = 100;

const subject = await startSubject();
const errors: string[] = [];
let rounds = 0;
try {
  for (; rounds * VALUES_PER_ROUND < VALUES_PER_TARGET || Date.now() < until; rounds++) {
    const seed = firstSeed + rounds;
    const result = await runCampaign(subject, {
      seed,
      valuesPerTarget: VALUES_PER_ROUND,
      withSlowCases: rounds === 0,
    });
    console.log(`round ${rounds + 1}, seed ${seed}: ${JSON.stringify(result.figures)}`);
    for (const error of result.errors) console.log(`  ${error}`);
    const greedy = await beGreedy(subject, seed);
    console.log(`  ${JSON.stringify(greedy.figures)}`);
    for (const error of greedy.errors) console.log(`  ${error}`);
    const { failure, runs } = await tryRefundOrders(seed, ORDERS_PER_ROUND);
    console.log(failure === null ? `  ${runs} orders of refunds` : `  ${failure}`);
    errors.push(...result.errors, ...greedy.errors, ...(failure === null ? [] : [failure]));
    if (!subject.isAlive()) break;
  }
  if (subject.isAlive()) {
    const { key } = await subject.makeKey("scale");
    errors.push(...(await flyCanary(subject, key)).map((place) => `A key turned up in ${place}.`));
  }
} finally {
  await subject.stop();
}
console.log(`${rounds} rounds from seed ${firstSeed}, ${errors.length} errors`);
process.exit(errors.length === 0 ? 0 : 1);
