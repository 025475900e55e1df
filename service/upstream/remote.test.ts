import { systemClock } from "../../kit/clock.ts";
import { openSimulator } from "../../simulator/open.ts";
import { serveForTest, smallWorld } from "./served.ts";
import { upstreamSuite } from "./suite.ts";

upstreamSuite("remote", async () => {
  const platform = await openSimulator(smallWorld(systemClock()));
  const served = await serveForTest(platform);
  return {
    platform,
    upstream: served.upstream,
    close: async () => {
      await served.stop();
      await platform.close();
    },
  };
});
