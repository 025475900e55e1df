import { openSimulator } from "../../simulator/open.ts";
import { testClock } from "../../test/support/steered-clock.ts";
import { upstreamSuite } from "./suite.ts";
import { serveForTest, smallWorld } from "./test-served.ts";

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
