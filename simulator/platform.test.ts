// The simulator is a platform like any other: in process and over the wire it passes the platform suite.
import { createLog } from "../kit/log.ts";
import { platformSuite } from "../protocol/suite.ts";
import { subjectInProcess, subjectOverWire } from "../protocol/suite-subjects.ts";
import { testClock } from "../test/support/steered-clock.ts";
import { openSimulator } from "./open.ts";
import { serveSimulator } from "./server/serve.ts";

const log = createLog("silent", () => 0);
const open = () =>
  openSimulator({
    seed: "suite",
    eventsPerSecond: 50,
    dataFolder: null,
    clock: testClock,
    traders: 300,
    historyDays: 10,
  });

platformSuite("the simulator in this process", async () => subjectInProcess(await open()));

platformSuite("the simulator on the wire", async () => {
  const platform = await open();
  const server = await serveSimulator({ platform, host: "127.0.0.1", port: 0, log, clock: testClock });
  return subjectOverWire(server.url, async () => {
    await server.stop();
    await platform.close();
  });
});
