// Follows one trader live: prints each buy and sell, saves its position in a file, and continues there the next time.
//   CROWDTAPE_KEY=ct_… node follow-trader.js mayatrades [COUNT]
import { readFile, rename, writeFile } from "node:fs/promises";
import { createClient } from "@crowdtape/client";

const [handle, count = "Infinity"] = process.argv.slice(2);
if (!handle) throw new Error("Say whom to follow: node follow-trader.js HANDLE");

const client = createClient({
  server: process.env.CROWDTAPE_SERVER,
  key: process.env.CROWDTAPE_KEY,
});

const file = `${handle}.position.json`;
const store = {
  load: () => readFile(file, "utf8").then(JSON.parse, () => null),
  // Written to a temporary file and renamed, so that a crash leaves the old position or the new one.
  save: async (position) => {
    await writeFile(`${file}.new`, JSON.stringify(position));
    await rename(`${file}.new`, file);
  },
};

const stream = client.alerts({ trader: handle, type: ["buy", "sell"], store, fill: true });
let seen = 0;
for await (const item of stream) {
  if (item.type === "gap") {
    console.log(`(${item.reason}: some trades were missed${item.filling ? ", reading them now" : ""})`);
    continue;
  }
  if (item.type === "retract") {
    console.log(`(undone by a re-org: ${item.eventId})`);
    continue;
  }
  const dollars = item.fillUsd?.toFixed(2) ?? "?";
  console.log(
    `${new Date(item.ts).toISOString()} ${item.trader} ${item.alertType} $${dollars} of ${item.token}`,
  );
  seen += 1;
  if (seen < Number(count)) continue;
  await stream.done();
  break;
}
