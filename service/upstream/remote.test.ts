import { systemClock } from "../../kit/clock.ts";
import { openPlatform } from "../../simulator/open.ts";
import { serveForTest, smallWorld } from "./served.ts";
import { upstreamSuite } from "./suite.ts";

upstreamSuite("remote", async () => {
  const platform = await openPlatform(smallWorld(systemClock()));
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
