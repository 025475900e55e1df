import { openSimulator } from "../../simulator/open.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import { serveForTest, smallWorld } from "./served.ts";
import { upstreamSuite } from "./suite.ts";

upstreamSuite("remote", async () => {
  const platform = await openSimulator(smallWorld(testClock));
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
